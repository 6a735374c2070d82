import { EmptyState } from "../atoms/empty-state.tsx";

/** Stands instead of the page once the server no longer knows this browser. */
export const SignedOut = () => (
  <main class="alone">
    <h1 class="sr">Holdfast console</h1>
    <EmptyState icon="lock" title="You are signed out">
      The login of this browser has ended. This prints a new link:
      <code class="line">holdfast status</code>
    </EmptyState>
  </main>
);
