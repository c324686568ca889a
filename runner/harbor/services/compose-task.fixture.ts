/** A server in Perl, which every Debian image has: it sends a word, and keeps what it receives. */
const SERVER = `use IO::Socket::INET;
my $socket = IO::Socket::INET->new(LocalPort => 8080, Listen => 9, ReuseAddr => 1) or die $!;
my $kept = '';
while (my $client = $socket->accept) {
  my $line = <$client>;
  if ($line =~ /^put (\\w+)/) { $kept = $1; open(my $log, '>>', '/var/puts'); print $log "$kept\\n" }
  print $client ($line =~ /^get/ ? "$ENV{WORD}\\n" : "$kept\\n");
  close $client;
}
`

/** Files of a task with two services beside \`main\`: a server, and a program that fills a volume for it and ends. */
export const COMPOSE_FILES: Record<string, string> = {
  'task.toml': `[environment]
allow_internet = false
memory_mb = 512
[environment.env]
WORD = "\${TASK_WORD:-HELLO}"
`,
  'instruction.md':
    'Ask api:8080 for its word ("get"), and send it back in lower case ("put <word>").\n',
  'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\nCOPY word.txt .\n',
  'environment/docker-compose.yaml': `services:
  main:
    build:
      context: \${CONTEXT_DIR}
    image: \${MAIN_IMAGE_NAME}
    command: ["sh", "-c", "sleep infinity"]
    environment: { HOST: api }
    depends_on:
      api: { condition: service_healthy }
    volumes:
      - \${HOST_VERIFIER_LOGS_PATH}:\${ENV_VERIFIER_LOGS_PATH}
      - shared:/shared:ro
  api:
    build: ./api
    environment: [WORD]
    ports: ["8080:8080"]
    depends_on:
      seed: { condition: service_completed_successfully }
    healthcheck:
      test: bash -c 'exec 3<>/dev/tcp/127.0.0.1/8080; echo look >&3'
      interval: 1s
    volumes: ["shared:/shared:ro", "./seed.txt:/seed.txt:ro"]
    mem_limit: 256m
  seed:
    image: debian:12
    command: sh -c 'echo "$$WORD from $$(cat /seed.txt)" > /shared/seed'
    environment: { WORD: seeded }
    volumes: ["shared:/shared", "./seed.txt:/seed.txt:ro"]
volumes:
  shared:
`,
  'environment/api/Dockerfile':
    'FROM debian:12\nCOPY server.pl /\nENTRYPOINT ["perl", "/server.pl"]\n',
  'environment/api/server.pl': SERVER,
  'environment/seed.txt': 'a file\n',
  'solution/solve.sh': `#!/bin/bash
ask() { exec 3<>/dev/tcp/$HOST/8080; echo "$1" >&3; cat <&3; }
ask "put $(ask get | tr A-Z a-z)"
cat /shared/seed
touch /shared/mine 2>&1 | sed 's/.*: //'
timeout 5 bash -c 'exec 3<>/dev/tcp/192.0.2.1/80' 2>/dev/null && echo online
getent hosts main > /dev/null && echo named
`,
  'tests/test.sh': `#!/bin/bash
exec 3<>/dev/tcp/$HOST/8080; echo look >&3
[ "$(cat <&3)" = hello ]
echo $((1 - $?)) > /logs/verifier/reward.txt
`,
}
