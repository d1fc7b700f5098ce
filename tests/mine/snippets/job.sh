export NODES=${DEMO_NODES:-1}
PORT=${DEMO_PORT-1234}
: "${DEMO_LOG:="all of it"}"
DEMO_OWN=1
echo "${DEMO_OWN:-2}" # ${DEMO_IN_A_COMMENT:-3}
echo "${DEMO_COMPUTED:-$PORT}"
