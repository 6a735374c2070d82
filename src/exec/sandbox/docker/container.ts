import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { ContainerBody } from "./container-body.ts";
import { type Engine, statusOf } from "./engine.ts";
import { missingImage } from "./image-faults.ts";
import { connectKeeper, type Keeper } from "./keeper.ts";
import { isAbandoned, labelsOf, mountPointsOf, ownLabels } from "./labels.ts";
import { makeMountPoints, missingDirectories, removeMountPoints } from "./mount-points.ts";
import { checkMounted, type MountPlan, mountState } from "./mounts.ts";

/** Describes a container before it is made. */
export interface ContainerSpec {
  readonly image: string;
  readonly body: ContainerBody;
  readonly plan: MountPlan;
}

/** A running container that takes one command at a time. */
export interface Container {
  readonly id: string;
  /** A digest of all that the container was made from. */
  readonly configuration: string;
  readonly plan: MountPlan;
  readonly keeper: Keeper;
  /** Returns whether it runs and still shows exactly what it showed when it was made. */
  isUsable(): Promise<boolean>;
  remove(): Promise<void>;
}

export const configurationOf = ({ body }: ContainerSpec): string =>
  createHash("sha256").update(JSON.stringify(body)).digest("hex");

/** Creates and starts a container. Nothing of it is left when that fails. */
export async function createContainer(engine: Engine, spec: ContainerSpec): Promise<Container> {
  const { body, plan, image } = spec;
  const mountPoints = missingDirectories(plan.missing, existsSync);
  const name = `holdfast-${process.pid}-${randomBytes(4).toString("hex")}`;
  const labelled = { ...body, Labels: labelsOf(mountPoints) };
  makeMountPoints(mountPoints);
  const id = await engine.create(name, labelled).catch((error: unknown) => {
    removeMountPoints(mountPoints);
    throw statusOf(error) === 404 ? missingImage(image, error) : error;
  });
  const remove = async (): Promise<void> => {
    await engine.remove(id);
    removeMountPoints(mountPoints);
  };
  try {
    const { keeper, state } = await startContainer(engine, id, plan);
    return {
      id,
      configuration: configurationOf(spec),
      plan,
      keeper,
      isUsable: async () => keeper.isAlive() && mountState(plan, await keeper.mounts()) === state,
      async remove() {
        keeper.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Starts a container, and returns its process 1 with the state of its mounts. */
async function startContainer(engine: Engine, id: string, plan: MountPlan) {
  const keeper = connectKeeper(await engine.attach(id));
  try {
    await engine.start(id);
    const mounted = await keeper.firstMounts;
    checkMounted(plan, mounted);
    return { keeper, state: mountState(plan, mounted) };
  } catch (error) {
    keeper.close();
    throw error;
  }
}

/** Removes containers of processes that were killed, and what these made in the roots. */
export async function removeAbandoned(engine: Engine): Promise<void> {
  const listed = await engine.list(ownLabels());
  for (const container of listed.filter(isAbandoned)) {
    await engine.remove(container.Id);
    removeMountPoints(mountPointsOf(container));
  }
}
