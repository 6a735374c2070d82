/**
 * Returns an environment variable. If it is not set, prints what to set, and exits.
 * @param {string} name
 */
export function keyFrom(name) {
  const key = process.env[name];
  if (key) return key;
  console.error(`Set ${name} to the key of your account, and run this again.`);
  process.exit(1);
}
