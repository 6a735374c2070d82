#!/bin/sh
# Ends the engine that docker-up.sh or podman-up.sh started in the directory $1, with its containers, and removes the
# directory.
set -eu
home=$1

if [ -f "$home/run/engine.pid" ]; then
  pid=$(cat "$home/run/engine.pid")
  export DOCKER_HOST="unix://$home/run/engine.sock"
  docker ps --all --quiet | xargs -r docker rm --force --volumes >/dev/null
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  # Podman leaves a process for five minutes after each command.
  for file in $(grep -lsF "$home/" /proc/[0-9]*/cmdline); do
    directory=${file%/cmdline}
    [ "$(cat "$directory/comm" 2>/dev/null)" != conmon ] || kill -9 "${directory#/proc/}" 2>/dev/null || true
  done
fi
grep -o " $home/[^ ]*" /proc/self/mounts | sort -r | while read -r mount; do umount "$mount"; done
rm -rf "$home"
