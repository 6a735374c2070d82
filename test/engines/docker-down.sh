#!/bin/sh
# Ends the engine that docker-up.sh started in the directory $1, with its containers, and removes the directory.
set -eu
home=$1

if [ -f "$home/run/docker.pid" ]; then
  pid=$(cat "$home/run/docker.pid")
  export DOCKER_HOST="unix://$home/run/docker.sock"
  docker ps --all --quiet | xargs -r docker rm --force --volumes >/dev/null
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
fi
grep -o " $home/[^ ]*" /proc/self/mounts | sort -r | while read -r mount; do umount "$mount"; done
rm -rf "$home"
