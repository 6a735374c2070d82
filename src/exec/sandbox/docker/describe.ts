import type { SandboxReport } from "../describe.ts";
import { connectEngine } from "./engine.ts";
import { findEngineSocket } from "./engine-socket.ts";
import { unnamedImage } from "./image-faults.ts";

/** Describes the containers that commands run in, for `doctor`. Throws where no engine answers, or no image is named. */
export async function describeContainers(
  environment: NodeJS.ProcessEnv,
  image: string | undefined,
): Promise<SandboxReport> {
  const { socket, info } = connectEngine(findEngineSocket(environment));
  const { ServerVersion, BuildahVersion } = await info();
  if (image === undefined) throw unnamedImage();
  const engine = `${BuildahVersion === undefined ? "Docker" : "Podman"} ${ServerVersion} at ${socket}`;
  return {
    rung: "docker",
    stops:
      `Commands run in containers of ${image} (${engine}): they see only the roots and the image, reach no network ` +
      "but open hosts, and end with all that they started.",
    lets:
      "The kernel is shared: a hole in it is a way out. Commands run on the directories themselves: containers have no " +
      "copy-on-write views.",
    raise: [],
  };
}
