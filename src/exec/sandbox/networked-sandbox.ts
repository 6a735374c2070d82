import type { Command } from "../command.ts";
import { type Launch, launch } from "./launch.ts";
import { untilEntered } from "./network/enter.ts";
import { createNetworks, type JoinedNetwork } from "./network/join.ts";
import type { Bounds, Rung, Sandbox, SandboxOptions, Streams } from "./sandbox.ts";

interface NetworkedSandboxParts extends Pick<SandboxOptions, "onHost"> {
  readonly rung: Rung;
  readonly hasViews: boolean;
  /** Returns the words that build the sandbox of a command. Leaves nothing behind where it throws. */
  readonly prepare: (command: Command, bounds: Bounds, streams: Streams, network: JoinedNetwork) => Launch;
}

/** Creates a sandbox that builds files and namespaces for each command, in a network that several may share. */
export function createNetworkedSandbox({ rung, hasViews, onHost, prepare }: NetworkedSandboxParts): Sandbox {
  const networks = createNetworks(onHost);
  return {
    rung,
    holds: { files: true, network: true, processes: true, views: hasViews },
    async start(command, bounds, streams) {
      const network = await networks.join(bounds.network);
      const started = await launch(prepare(command, bounds, streams, network), streams);
      if (streams.isDetached === true) await untilEntered(network, started);
      return started;
    },
    shareNetwork: networks.share,
    close: networks.close,
  };
}
