#!/usr/bin/env bash
# Builds the image and runs the fleets of compose.yaml and swarm.yaml on a real engine: solves, kills,
# disconnects, scales, drains, stops and starts again, and checks that nothing is lost and every outcome
# is right.
# Usage: deploy/test.sh [compose] [swarm], both unless told.
#
# It needs docker with a running engine, compose (v2, or docker-compose 1.29) and curl, and installs
# nothing. Everything it makes carries a project name of its own and is removed in the end, but for
# the image, whose layers make the next build short. An engine that is in a swarm is left there, and
# the fleet of swarm.yaml is not tested.
#
# Environment: SPROUTNET_TEST_SECONDS, how long it may take after the image is built, 540 unless told,
# for machines that are busy otherwise; SPROUTNET_TEST_IMAGE, an image to test instead of building one.
set -euo pipefail
cd "$(dirname "$0")"

project=sproutnet-test-$$
stack=$project-swarm
scratch=$(mktemp -d)
step=preparing
limit=${SPROUTNET_TEST_SECONDS:-540}
parts=" ${*:-compose swarm} "

export FLEET_IMAGE=${SPROUTNET_TEST_IMAGE:-sproutnet:test}
export FLEET_TOKEN_FILE=$scratch/token FLEET_TOKEN_NAME=$project
# Any free port.
export FLEET_PORT=0 FLEET_HTTP_PORT=0
export FLEET_WORKER_CORES=1 FLEET_WORKER_MEMORY=1g FLEET_COORDINATOR_MEMORY=1g

say() {
  step=$*
  printf '== %4d s  %s\n' "$SECONDS" "$step"
}

fail() {
  printf 'FAILED while %s: %s\n' "$step" "$*" >&2
  exit 1
}

# --- the engine

if docker compose version >/dev/null 2>&1; then
  compose_command=(docker compose)
elif command -v docker-compose >/dev/null 2>&1; then
  compose_command=(docker-compose)
else
  compose_command=()
fi

missing=
command -v curl >/dev/null || missing='there is no curl'
[ ${#compose_command[@]} -gt 0 ] || missing='there is neither docker compose nor docker-compose'
timeout 20 docker info >/dev/null 2>&1 || missing='no engine answers docker info'
if [ -n "$missing" ]; then
  rm -rf "$scratch"
  echo "!!! The fleet was NOT tested: $missing." >&2
  exit 1
fi

# Nothing may hang: a command that takes longer has failed.
compose() { timeout 150 "${compose_command[@]}" -p "$project" -f compose.yaml "$@"; }

# What is left of the project in the engine.
remains() {
  local label=label=com.docker.compose.project=$project
  docker ps -aq --filter "$label"
  docker volume ls -q --filter "$label"
  docker network ls -q --filter "$label"
}

# Whether this engine is in a swarm because of this test.
in_own_swarm=

leave_swarm() {
  [ -n "$in_own_swarm" ] || return 0
  docker stack rm "$stack" >/dev/null 2>&1 || true
  docker swarm leave --force >/dev/null
  in_own_swarm=
  # Containers outlive their swarm, and hold their volumes.
  docker ps -aq --filter "name=^${stack}_" | xargs -r docker rm -f >/dev/null
  docker volume rm -f "${stack}_coordinator" "${stack}_worker" >/dev/null
  docker network rm docker_gwbridge >/dev/null 2>&1 || true
}

finish() {
  local status=$?
  trap - EXIT
  if [ "$status" != 0 ]; then
    printf -- '--- containers\n' >&2
    compose ps -a >&2 || true
    printf -- '--- logs\n' >&2
    compose logs --no-color --tail 40 >&2 || true
    if [ -n "$in_own_swarm" ]; then
      docker stack ps --no-trunc "$stack" >&2 || true
      for name in coordinator worker; do
        docker service logs --tail 40 "${stack}_$name" >&2 || true
      done
    fi
  fi
  leave_swarm || status=1
  compose down -v --remove-orphans -t 5 >"$scratch/down" 2>&1 || cat "$scratch/down" >&2
  if [ -n "$(remains)" ]; then
    echo "the engine still has: $(remains)" >&2
    status=1
  fi
  rm -rf "$scratch"
  [ "$status" != 0 ] || printf '== %4d s  all well\n' "$SECONDS"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# --- questions

# The command line, inside the coordinator's container.
sproutnet() { compose exec -T coordinator sproutnet "$@"; }

# The value of a field in a line of JSON.
field() { sed -nE 's/.*"'"$1"'":"?([^",}]*).*/\1/p'; }

# $1: a metric without labels. Prints its value.
metric() {
  local address
  address=$(compose port coordinator 7351)
  curl -fsS --max-time 10 -H "@$scratch/header" "http://$address/metrics" |
    awk -v name="sproutnet_$1" '$1 == name { print int($2); found = 1 } END { exit !found }'
}

# The status of a computation. $1: position, $2: convention.
status_of() {
  sproutnet list --json | grep -F "\"position\":\"$1\",\"play\":\"$2\"" | tail -n 1 | field status
}

containers() { compose ps -q "$1"; }

# $1: seconds, then a command that is to succeed within them.
wait_for() {
  local end=$((SECONDS + $1))
  [ "$end" -lt "$limit" ] || end=$limit
  shift
  until "$@" 2>"$scratch/last"; do
    [ "$SECONDS" -lt "$end" ] || fail "waited in vain for: $* $(cat "$scratch/last")"
    sleep 1
  done
}

# --- what has to hold

check_outcome() { # $1: position, $2: convention, $3: outcome
  local line outcome
  line=$(sproutnet solve "$1" --play "$2" --deadline 120s --json) || fail "solve $1 $2: $line"
  outcome=$(field outcome <<<"$line")
  [ "$outcome" = "$3" ] || fail "$1 $2 is a $3, not a $outcome: $line"
}

is_solved() { [ "$(status_of "$1" "$2")" = solved ]; }
is_healthy() { [ "$(docker inspect -f '{{.State.Health.Status}}' "$1")" = healthy ]; }
is_gone() { [ "$(docker inspect -f '{{.State.Running}}' "$1")" = false ]; }
has_workers() { [ "$(metric workers)" = "$1" ]; }
finished_more_than() { [ "$(metric jobs_finished_total)" -gt "$1" ]; }

# Jobs are being finished, the endless computation is under way, and no record was lost.
most=0
check_progress() {
  wait_for 60 metric jobs_finished_total >/dev/null
  wait_for 90 finished_more_than "$(($(metric jobs_finished_total) + 2))"
  local records state
  records=$(metric records)
  [ "$records" -ge "$most" ] || fail "there were $most records, now there are $records"
  most=$records
  state=$(status_of "$endless" misere)
  [ "$state" = running ] || fail "$endless misere is $state"
  printf '            %s records, %s jobs finished\n' "$records" "$(metric jobs_finished_total)"
}

# Solved long after the test has ended, so that there is work to disturb at any time.
endless='0*24'

# --- the fleet of compose.yaml

test_compose() {
  local coordinator worker refusal started everything container code
  say "starting a coordinator and three workers"
  compose up -d --scale worker=3 >"$scratch/up" 2>&1 || { cat "$scratch/up" >&2; fail "see above"; }
  coordinator=$(containers coordinator)
  is_healthy "$coordinator" || fail "the workers did not wait for a healthy coordinator"
  wait_for 60 has_workers 3

  say "refusing who has no token"
  if refusal=$(timeout 60 docker run --rm --no-healthcheck --network "${project}_default" \
    "$FLEET_IMAGE" sproutnet query '0*3' --coordinator http://coordinator:7350 2>&1); then
    fail "the coordinator answered without the token: $refusal"
  fi
  grep -qi token <<<"$refusal" || fail "the refusal does not speak of the token: $refusal"

  say "solving"
  check_outcome '0*12' normal loss
  check_outcome '0*8' misere loss

  say "starting longer computations"
  sproutnet solve "$endless" --play misere --priority=-1 --detach
  sproutnet solve '0*12' --play misere --detach
  sproutnet solve '0*16' --play normal --detach
  check_progress

  say "killing a worker"
  worker=$(containers worker | sed -n 1p)
  docker kill -s KILL "$worker" >/dev/null
  check_progress
  docker start "$worker" >/dev/null
  check_progress

  say "killing the coordinator"
  most=$(metric records)
  docker kill -s KILL "$coordinator" >/dev/null
  wait_for 20 is_gone "$coordinator"
  sleep 5
  docker start "$coordinator" >/dev/null
  wait_for 90 is_healthy "$coordinator"
  check_progress

  say "cutting a worker off"
  worker=$(containers worker | sed -n '$p')
  started=$(docker inspect -f '{{.State.StartedAt}}' "$worker")
  docker network disconnect "${project}_default" "$worker"
  check_progress
  sleep 10
  docker network connect "${project}_default" "$worker"
  check_progress
  [ "$(docker inspect -f '{{.State.StartedAt}}' "$worker")" = "$started" ] ||
    fail "the worker ended when it was cut off"

  say "five workers"
  compose up -d --no-recreate --scale worker=5 >"$scratch/up" 2>&1 ||
    { cat "$scratch/up" >&2; fail "see above"; }
  [ "$(containers worker | wc -l)" = 5 ] || fail "there are $(containers worker | wc -l) workers"
  check_progress

  say "stopping all"
  everything=$(containers coordinator; containers worker)
  compose stop >"$scratch/stop" 2>&1 || { cat "$scratch/stop" >&2; fail "see above"; }
  for container in $everything; do
    code=$(docker inspect -f '{{.State.ExitCode}}' "$container")
    [ "$code" = 0 ] || fail "$container ended with $code"
  done

  say "starting all on what they left"
  compose start >"$scratch/start" 2>&1 || { cat "$scratch/start" >&2; fail "see above"; }
  wait_for 90 is_healthy "$coordinator"
  check_progress

  say "finishing"
  wait_for 240 is_solved '0*12' misere
  wait_for 240 is_solved '0*16' normal
  check_outcome '0*12' misere win
  check_outcome '0*16' normal win
  check_outcome '0*12' normal loss
  # All five, also those that were killed or cut off; who is not heard of is forgotten in a minute.
  wait_for 90 has_workers 5
  sproutnet fleet
  sproutnet cancel "$endless" --play misere
  [ "$(status_of "$endless" misere)" = cancelled ] || fail "$endless goes on after it was cancelled"
  sproutnet list
}

# --- the fleet of swarm.yaml, in a swarm of this machine alone

# The command line, inside the coordinator's container.
sproutnet_in_swarm() { timeout 150 docker exec "$(task coordinator)" sproutnet "$@"; }

# The container that runs a service. $1: its name.
task() { docker ps -q --filter "name=^${stack}_$1\." | head -n 1; }

tasks_have_ended() { [ -z "$(docker ps -q --filter "name=^${stack}_")" ]; }

# $1: how many workers there are to be.
has_workers_in_swarm() {
  [ "$(sproutnet_in_swarm fleet --json | grep -o '"silent"' | wc -l)" -ge "$1" ]
}

# $1: a field of the endless computation.
of_endless() { sproutnet_in_swarm list --json | grep -F "\"position\":\"$endless\"" | field "$1"; }

has_more_expansions() { [ "$(of_endless expansions)" -gt "$1" ]; }

# The computation goes on, and has all records that it had.
check_progress_in_swarm() { # $1: the records before
  wait_for 60 of_endless status >/dev/null
  [ "$(of_endless status)" = running ] || fail "$endless misere is $(of_endless status)"
  wait_for 60 has_more_expansions "$(of_endless expansions)"
  local records
  records=$(of_endless records)
  [ "$records" -ge "$1" ] || fail "there were $1 records, now there are $records"
  printf '            %s records\n' "$records"
}

test_swarm() {
  local node records answer container code
  if [ "$(docker info -f '{{.Swarm.LocalNodeState}}')" != inactive ]; then
    echo "!!! The fleet in a swarm was NOT tested: the engine is in a swarm already." >&2
    return 0
  fi

  say "a swarm of one machine, with a coordinator and a worker"
  docker swarm init --advertise-addr 127.0.0.1 --listen-addr 127.0.0.1:2377 >/dev/null
  in_own_swarm=1
  node=$(docker info -f '{{.Swarm.NodeID}}')
  docker node update --label-add sproutnet=coordinator "$node" >/dev/null
  FLEET_WORKER_MODE=replicated FLEET_WORKER_NODES='node.platform.os == linux' \
    docker stack deploy --resolve-image never -c swarm.yaml "$stack" >"$scratch/up" 2>&1 ||
    { cat "$scratch/up" >&2; fail "see above"; }
  wait_for 60 sproutnet_in_swarm solve '0*10' --deadline 60s >/dev/null
  sproutnet_in_swarm solve "$endless" --play misere --detach
  check_progress_in_swarm 0

  say "two workers"
  docker service scale --detach "${stack}_worker=2" >/dev/null
  wait_for 60 has_workers_in_swarm 2

  say "killing a worker"
  records=$(of_endless records)
  docker kill -s KILL "$(task worker)" >/dev/null
  check_progress_in_swarm "$records"

  say "draining the machine, and using it again"
  records=$(of_endless records)
  docker ps -q --filter "name=^${stack}_" >"$scratch/drained"
  docker node update --availability drain "$node" >/dev/null
  wait_for 40 tasks_have_ended
  while read -r container; do
    code=$(docker inspect -f '{{.State.ExitCode}}' "$container")
    [ "$code" = 0 ] || fail "$container ended with $code"
  done <"$scratch/drained"
  docker node update --availability active "$node" >/dev/null
  check_progress_in_swarm "$records"
  answer=$(sproutnet_in_swarm solve '0*10' --json)
  grep -q '"outcome":"win".*"source":"store"' <<<"$answer" || fail "0*10 was lost: $answer"
  leave_swarm
}

# --- the test

head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$scratch/token"
printf 'Authorization: Bearer %s\n' "$(cat "$scratch/token")" >"$scratch/header"
# The user of the container reads it.
chmod 644 "$scratch/token"

if [ -z "${SPROUTNET_TEST_IMAGE:-}" ]; then
  say "building the image"
  timeout 3000 "${compose_command[@]}" -p "$project" -f compose.yaml build >"$scratch/build" 2>&1 ||
    { tail -n 60 "$scratch/build" >&2; fail "see above"; }
fi
SECONDS=0

for part in $parts; do
  case $part in
    compose) test_compose ;;
    swarm) test_swarm ;;
    *) fail "there is no part called $part" ;;
  esac
done
