#!/bin/sh
mkdir -p "$AGENTCOMPASS_LOGS/verifier"
cd "$AGENTCOMPASS_APP" || exit 1
if node "$AGENTCOMPASS_TESTS/check.mjs"; then
  echo 1 >"$AGENTCOMPASS_LOGS/verifier/reward.txt"
else
  echo 0 >"$AGENTCOMPASS_LOGS/verifier/reward.txt"
fi
