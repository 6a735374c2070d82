import { existsSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";

/** Returns the socket of the container engine: that of DOCKER_HOST, else the first that exists. */
export function findEngineSocket(environment: NodeJS.ProcessEnv): string {
  const host = environment["DOCKER_HOST"];
  if (host) return socketOfUrl(host);
  const found = usualSockets(environment).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Fault("io", "Cannot reach a container engine: no Docker or Podman socket was found", {
    hint: "Start Docker or Podman (systemctl --user start podman.socket), or name its socket in DOCKER_HOST",
  });
}

/** Lists the sockets where Docker and Podman listen by default. Commands reach none of them. */
export function usualSockets({ XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): readonly string[] {
  const ofUser = runtime ? [`${runtime}/docker.sock`, `${runtime}/podman/podman.sock`] : [];
  return ["/var/run/docker.sock", ...ofUser, "/run/podman/podman.sock"];
}

/** Accepts sockets of this machine only: elsewhere, the directories of this machine could not be shared. */
function socketOfUrl(url: string): string {
  const [, path] = /^unix:\/\/(\/.+)$/.exec(url) ?? [];
  if (path !== undefined) return path;
  throw new Fault("invalid_input", `Cannot use DOCKER_HOST=${url}: only unix sockets of this machine can be used`, {
    hint: "Set DOCKER_HOST to unix:///path/of/the/socket, or unset it",
  });
}
