import { Fault } from "../../../base/errors.ts";

/** Says that the settings choose containers and no image. */
export const unnamedImage = (): Fault =>
  new Fault("invalid_input", `Cannot run commands in a container: ${IMAGE_KEY} names no image`, {
    hint: "Ask the user to name an image that has bash and the programs that commands need",
  });

/** Says that the engine does not have the image. */
export const missingImage = (image: string, cause: unknown): Fault =>
  new Fault(
    "io",
    `Cannot start a container: there is no image ${JSON.stringify(image)} on this machine`,
    { hint: `Run: docker pull ${image} (or podman pull), or name another image in ${IMAGE_KEY}` },
    cause,
  );

const IMAGE_KEY = "tools.exec.sandbox.image";
