#!/bin/sh
# Builds the first process of the container into the folder $1.
set -e
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -fstack-protector-strong -I../elements warden.c channels.c clean.c ../elements/text.c -o "$1/warden"
