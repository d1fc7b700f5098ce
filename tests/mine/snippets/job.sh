export NODES=${DEMO_NODES:-1}
PORT=${DEMO_PORT-1234}
: "${DEMO_LOG:="all of it"}"
DEMO_OWN=1
echo "${DEMO_OWN:-2}" # ${DEMO_IN_A_COMMENT:-3}
echo "${DEMO_COMPUTED:-$PORT}"
# A comment of its own line, which keeps the lines that follow.
if [[ "${DEMO_EQUALS_ONE:-0}" != "1" ]]; then exit 0; fi
if [ "${DEMO_NOT_ZERO:-1}" != "0" ]; then echo on; fi
KEPT="${DEMO_KEPT:-0}"
if [[ "$KEPT" == "1" ]]; then echo kept; fi
[[ -n "${DEMO_ONLY_ASKED:-}" ]] && echo asked
[[ -z "${DEMO_ASKED_AND_USED:-}" ]] || cd "$DEMO_ASKED_AND_USED"
if [[ "${DEMO_AS_NUMBER:-0}" -eq 1 ]]; then echo number; fi
