#!/bin/sh
# Starts a Podman service of its own in the directory $1 and imports the image of docker-up.sh as $2. Prints the socket.
# engine-down.sh ends it.
set -eu
home=$1
here=$(realpath "$(dirname "$0")")

mkdir -p "$home/run"
chmod 755 "$home" "$home/run"
# Its monitor leaves a file where it was started, for a container that ran out of memory.
cd "$home"
setsid podman --root "$home/data" --runroot "$home/exec" --tmpdir "$home/tmp" --cgroup-manager cgroupfs \
  --events-backend file --runtime "$here/runc-without-limits.sh" \
  system service --time 0 "unix://$home/run/engine.sock" >"$home/podman.log" 2>&1 </dev/null &
echo $! >"$home/run/engine.pid"
export DOCKER_HOST="unix://$home/run/engine.sock"
tries=0
until docker version >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ]; then
    tail -20 "$home/podman.log" >&2
    exit 1
  fi
  sleep 0.1
done
chmod 660 "$home/run/engine.sock"
exec "$here/docker-up.sh" "$@"
