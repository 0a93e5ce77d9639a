#!/bin/sh
# Builds the GTK module and the hub into the folder $1.
set -e
libraries=/usr/lib/$(gcc -print-multiarch)
# GTK fixes the parameters of its callbacks, so some are unused.
common='-std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -Werror -fstack-protector-strong'
gcc $common -Wno-deprecated-declarations -fPIC -fvisibility=hidden -shared -DGAIL="\"$libraries/gtk-2.0/modules/libgail.so\"" \
  module.c tree.c places.c toolkit.c widgets.c text.c -o "$1/elements.so" $(pkg-config --cflags --libs atk glib-2.0) -ldl -lm
gcc $common hub.c applications.c windows.c text.c -o "$1/hub" $(pkg-config --cflags --libs xcb)
