/**
 * Installs the peers that this project is compared with and prints where they are: a JSON line `{ python, names }`. With `--inspect`
 * those of the bench alone; with `--check`, installs nothing and ends with status 1 when they are not there.
 */
import { installedPeers, installPeers } from "./peers-install.mjs";

const set = process.argv.includes("--inspect") ? "inspect" : "reference";

try {
  const peers = process.argv.includes("--check")
    ? await installedPeers(set)
    : await installPeers((line) => console.error(line), set);
  if (peers) console.log(JSON.stringify(peers));
  else console.error("peers: not installed; node scripts/peers.mjs installs them");
  process.exitCode = peers ? 0 : 1;
} catch (error) {
  console.error(`peers: ${error.message}`);
  process.exitCode = 1;
}
