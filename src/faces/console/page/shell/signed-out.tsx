import { useEffect } from "preact/hooks";
import { EmptyState } from "../atoms/empty-state.tsx";
import { onLogin } from "../state/login.ts";

/** Stands instead of the page while the server does not know this browser. Goes on where it was after a login. */
export function SignedOut() {
  useEffect(() => onLogin(() => location.reload()), []);
  return (
    <main class="alone">
      <h1 class="sr">Holdfast console</h1>
      <EmptyState icon="lock" title="You are signed out">
        This prints a link that logs in. Open it in this browser, and this page goes on:
        <code class="line">holdfast status</code>
      </EmptyState>
    </main>
  );
}
