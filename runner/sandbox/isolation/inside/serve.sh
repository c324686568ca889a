# Starts the program that an image starts by itself, and then another one: serve.sh SERVICE WAIT PROGRAM [ARGUMENT…]
# SERVICE and WAIT are commands of the shell; WAIT ends once the service is ready, or has had its time. The program is run
# in any case: whether the service has to be ready was decided before.
service=$1
wait=$2
shift 2
[ -z "$service" ] || /bin/sh -c "exec $service" </dev/null >/dev/null 2>&1 &
[ -z "$wait" ] || /bin/sh -c "$wait" </dev/null >/dev/null 2>&1
exec "$@"
