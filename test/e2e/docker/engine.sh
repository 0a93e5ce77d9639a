#!/bin/sh
# Installs and starts a Docker engine on a bare Debian 12, as root, and pulls or builds the base image `debian:bookworm-slim`. Keeps what
# already exists. Exits with an error if no engine answers at the end.

set -eu

BASE=debian:bookworm-slim
LOG=${DARTBOARD_ENGINE_LOG:-/var/log/dartboard-dockerd.log}

say() { echo "engine.sh: $*"; }
fail() { say "$*" >&2; exit 1; }

answers() { docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }
has_base() { docker image inspect "$BASE" >/dev/null 2>&1; }

install_missing() {
  missing=
  command -v docker >/dev/null && { answers || command -v dockerd >/dev/null; } || missing="$missing docker.io"
  answers || command -v iptables >/dev/null || missing="$missing iptables"
  has_base || command -v debootstrap >/dev/null || missing="$missing debootstrap"
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || fail "this is not Debian: install Docker with the tools of this system, and run this script again"
  [ "$(id -u)" = 0 ] || fail "not root: run this script as root, to install$missing"
  say "installing$missing"
  apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >/dev/null
}

start_engine() {
  answers && return 0
  [ -z "${DOCKER_HOST:-}" ] || fail "no engine answers at DOCKER_HOST=$DOCKER_HOST: start it, or unset DOCKER_HOST"
  if pgrep -x dockerd >/dev/null 2>&1; then
    say "an engine is already starting"
  else
    [ "$(id -u)" = 0 ] || fail "not root: run this script as root, to start dockerd"
    say "starting dockerd; its log is $LOG"
    # In a session of its own, so that it survives the terminal of this script.
    setsid dockerd >"$LOG" 2>&1 </dev/null &
  fi
  tries=0
  until answers; do
    tries=$((tries + 1))
    [ "$tries" -le 60 ] || fail "dockerd did not answer within 30 s; the end of its log: $(tail -n 5 "$LOG" 2>/dev/null)"
    sleep 0.5
  done
}

# The addresses of apt's sources, in both formats: `deb [options] ADDRESS suite …`, and `URIs: ADDRESS …`.
addresses() {
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$list" ] && sed -n 's/^[[:space:]]*deb[[:space:]]\{1,\}\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]\{1,\}\).*/\2/p' "$list"
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] && sed -n 's/^URIs:[[:space:]]*//p' "$list" | tr ' ' '\n'
  done
}

# The first mirror of Debian with bookworm. The sources can also contain other vendors and security updates.
mirror() {
  addresses | grep -v '^$' | while read -r address; do
    case $address in mirror+*|cdrom:*|file:*|*security*) continue ;; esac
    release=${address%/}/dists/bookworm/Release
    if fetch "$release" 2>/dev/null | grep -q '^Origin: Debian$'; then
      echo "${address%/}"
      break
    fi
  done
}

fetch() {
  if command -v curl >/dev/null; then curl -fsSL --max-time 20 "$1"
  elif command -v wget >/dev/null; then wget -q -T 20 -O - "$1"
  else /usr/lib/apt/apt-helper download-file "$1" /tmp/dartboard-release >/dev/null && cat /tmp/dartboard-release && rm /tmp/dartboard-release
  fi
}

# Similar to the image of a registry: Debian's essential packages, without documents and translations.
make_base() {
  [ "$(id -u)" = 0 ] || fail "not root: run this script as root, to build $BASE with debootstrap"
  from=$(mirror)
  [ -n "$from" ] || fail "no mirror of Debian answers: add one to /etc/apt/sources.list"
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  say "building $BASE from $from"
  debootstrap --variant=minbase bookworm "$tree" "$from" >"$tree.log" 2>&1 || { tail -n 5 "$tree.log" >&2; fail "debootstrap failed; its log is $tree.log"; }
  rm -f "$tree.log"
  echo "deb $from bookworm main" >"$tree/etc/apt/sources.list"
  tar --numeric-owner -C "$tree" --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' \
    --exclude='./var/lib/apt/lists/*' --exclude='./var/cache/apt/*' --exclude='./dev/*' -c . | docker import - "$BASE" >/dev/null
}

install_missing
start_engine
say "the engine answers: $(docker version --format '{{.Server.Version}}')"
if has_base; then
  say "$BASE exists"
elif timeout 120 docker pull -q "$BASE" >/dev/null 2>&1; then
  say "$BASE is pulled"
else
  make_base
  say "$BASE is built"
fi
