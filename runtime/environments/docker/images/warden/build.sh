#!/bin/sh
# Builds the first process into the folder that is named.
set -e
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -fstack-protector-strong -I../elements warden.c channels.c clean.c ../elements/text.c -o "$1/warden"
