/** Draws a share as a bar; something is never drawn as nothing. */
export const Meter = ({ share }: { readonly share: number }) => (
  <svg class="meter" viewBox="0 0 160 4" aria-hidden="true">
    <rect width="160" height="4" rx="2" />
    <rect class="v" width={Math.max(2, Math.round(160 * Math.min(1, share)))} height="4" rx="2" />
  </svg>
);
