/**
 * What the environment says under a name. Without it the example says what to set, and ends.
 * @param {string} name
 */
export function keyFrom(name) {
  const key = process.env[name];
  if (key) return key;
  console.error(`Set ${name} to the key of your account, and run this again.`);
  process.exit(1);
}
