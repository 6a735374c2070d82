import type { GrantEntry } from "../../contract.ts";
import { Failure } from "../atoms/callout.tsx";
import { Who } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { dayName } from "../format/time.ts";
import { post } from "../state/api.ts";
import { useAttempt } from "../state/attempt.ts";
import { nowMs } from "../state/clock.ts";
import { refreshAfter } from "../state/console-state.ts";
import { say } from "../state/toast.ts";

/** Lists what people allowed for longer than once, and revokes it. */
export function GrantTable({ grants }: { readonly grants: readonly GrantEntry[] }) {
  const attempt = useAttempt();
  if (grants.length === 0) return null;
  return (
    <>
      <Failure text={attempt.failure} />
      <table class="plain rows grants">
        <caption>Allowed by your answers</caption>
        <thead class="sr">
          <tr>
            <th>Allowed</th>
            <th>For</th>
            <th>Until</th>
            <th>Action</th>
          </tr>
        </thead>
        <tbody>
          {grants.map((grant) => (
            <tr key={grant.id}>
              <td>
                <code>
                  <bdi>{shown(grant.what)}</bdi>
                </code>
              </td>
              <td>
                {grant.session === undefined ? "anyone" : <Who agent={grant.agent ?? ""} session={grant.session} />}
              </td>
              <td class="t">
                until {grant.until === undefined ? "the session ends" : dayName(grant.until, nowMs.value)}
              </td>
              <td class="r">
                <button
                  class="act"
                  type="button"
                  disabled={attempt.isRunning}
                  onClick={() => attempt.run(() => revoke(grant.id))}
                >
                  Revoke
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

async function revoke(id: string): Promise<void> {
  await post(`/api/grants/${encodeURIComponent(id)}/revoke`);
  say("Revoked. It is asked again next time.");
  refreshAfter("rules");
}
