#!/bin/sh
# Starts a Docker engine of its own in the directory $1 and imports an image from this machine's busybox and bash; no
# registry is asked. With DOCKER_HOST, only imports the image there. Prints the socket. engine-down.sh ends it.
set -eu
home=$1
image=$2

if [ -z "${DOCKER_HOST:-}" ]; then
  mkdir -p "$home/run"
  chmod 755 "$home" "$home/run"
  # Containers get no bridge and no rules of a firewall: tests of the network need none, and the machine stays as it is.
  setsid dockerd --data-root "$home/data" --exec-root "$home/exec" --pidfile "$home/run/engine.pid" \
    --host "unix://$home/run/engine.sock" --group root --bridge none --iptables=false --ip6tables=false \
    --exec-opt native.cgroupdriver=cgroupfs >"$home/dockerd.log" 2>&1 </dev/null &
  export DOCKER_HOST="unix://$home/run/engine.sock"
  tries=0
  until docker version >/dev/null 2>&1; do
    tries=$((tries + 1))
    if [ "$tries" -gt 300 ]; then
      tail -20 "$home/dockerd.log" >&2
      exit 1
    fi
    sleep 0.1
  done
fi

tree=$home/image
mkdir -p "$tree/bin" "$tree/etc" "$tree/home" "$tree/proc" "$tree/sys" "$tree/dev" "$tree/tmp"
chmod 1777 "$tree/tmp"
cp "$(command -v busybox)" "$tree/bin/busybox"
for name in $(busybox --list); do
  [ "$name" = busybox ] || ln -s busybox "$tree/bin/$name"
done
cp "$(command -v bash-static)" "$tree/bin/bash"
echo "root:x:0:0:root:/:/bin/sh" >"$tree/etc/passwd"
tar -C "$tree" -c . | docker import - "$image" >/dev/null
rm -r "$tree"
echo "$DOCKER_HOST"
