// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose files have such variables.
import { describe, expect, it } from 'vitest'
import { COMPOSE_FILES } from './compose-task.fixture.ts'
import { interpolate } from './interpolate.ts'
import { readCompose } from './read-compose.ts'
import { describeProject } from './service-project.ts'
import { judgeReadiness, type ServiceState } from './service-states.ts'

const HARBOR = {
  CONTEXT_DIR: '.',
  MAIN_IMAGE_NAME: 'main',
  HOST_VERIFIER_LOGS_PATH: '/logs/verifier',
  ENV_VERIFIER_LOGS_PATH: '/logs/verifier',
  WORD: 'hello $you',
}
const TEXT = COMPOSE_FILES['environment/docker-compose.yaml'] ?? ''

/** A compose file whose service `db` has these members. */
const withDb = (members: string, rest = '') =>
  `services:\n  main: {}\n  db:\n    image: db:1\n    ${members}\n${rest}`

describe('a compose file', () => {
  it('is read with the variables of the task alone', () => {
    const { main, services } = readCompose(TEXT, HARBOR)
    expect(main).toMatchObject({
      build: { context: '', dockerfile: null },
      env: { HOST: 'api' },
      after: { api: 'service_healthy' },
      mounts: [{ kind: 'volume', name: 'shared', target: '/shared', isReadOnly: true }],
    })
    const [api, seed] = services
    expect(api).toMatchObject({
      env: { WORD: 'hello $you' },
      build: { context: 'api' },
      networks: { default: [] },
      limits: { memoryBytes: 256 * 2 ** 20, cpus: null, processes: null },
    })
    expect(seed?.plain).toEqual({
      command: `sh -c 'echo "$WORD from $(cat /seed.txt)" > /shared/seed'`,
    })
    expect(() => readCompose(TEXT, { ...HARBOR, WORD: undefined as unknown as string })).toThrow(
      'service api reads the variable WORD of this machine: list it under [environment.env] of task.toml',
    )
  })

  it.each([
    ['privileged: true', 'is privileged, which would give it this machine: remove privileged'],
    ['cap_add: [SYS_ADMIN]', 'asks for rights of this machine’s root: remove cap_add'],
    ['devices: ["/dev/kvm"]', 'asks for devices of this machine: remove devices'],
    ['gpus: all', 'asks for devices of this machine: remove gpus'],
    [
      'deploy: { resources: { reservations: { devices: [{ driver: nvidia }] } } }',
      'asks for devices of this machine: remove deploy.resources.reservations',
    ],
    ['deploy: { replicas: 3 }', 'is started more than once: remove deploy.replicas'],
    [
      'network_mode: host',
      'shares the network of this machine or of another container: remove network_mode (host)',
    ],
    ['network_mode: "service:main"', 'remove network_mode (service:main)'],
    ['pid: host', 'shares the system of this machine or of another container: remove pid'],
    ['ipc: host', 'remove ipc'],
    ['userns_mode: host', 'remove userns_mode'],
    ['security_opt: ["seccomp:unconfined"]', 'changes how containers are separated'],
    ['sysctls: { net.core.somaxconn: 1 }', 'changes settings of the kernel: remove sysctls'],
    ['runtime: other', 'chooses another container runtime: remove runtime'],
    ['extra_hosts: ["host:host-gateway"]', 'names hosts outside of the task: remove extra_hosts'],
    ['volumes: ["/var/run/docker.sock:/s"]', 'mounts the socket of docker (/var/run/docker.sock)'],
    ['volumes: ["/etc:/host:ro"]', 'mounts /etc of this machine: use a named volume'],
    ['volumes: ["~/.ssh:/s:ro"]', 'mounts ~/.ssh of this machine: use a named volume'],
    ['volumes: ["../..:/up:ro"]', 'mounts ../.. of this machine: use a named volume'],
    ['volumes: [{ type: bind, source: /, target: /host }]', 'mounts / of this machine'],
    ['volumes: ["./:/all:ro"]', 'mounts the whole of environment/'],
    ['volumes: ["./init:/init"]', 'can write to ./init of the task: mount it read-only (:ro)'],
    ['volumes: ["data:/data"]', 'mounts the volume data, which is not declared'],
    ['volumes: ["v:../data"]', 'mounts ../data, which is not an absolute path'],
    ['volumes_from: [main]', 'takes files or secrets from outside of its container'],
    ['secrets: [key]', 'takes files or secrets from outside of its container: remove secrets'],
    ['env_file: .env', 'reads variables from a file: list them under environment (env_file)'],
    ['environment: [PATH]', 'reads the variable PATH of this machine'],
    ['environment: { HOME: }', 'reads the variable HOME of this machine'],
    ['command: echo ${HOME}', 'reads the variable HOME of this machine'],
    ['command: echo ${HOME:?no}', 'reads the variable HOME of this machine'],
    ['command: echo $', 'has "$", which names no variable: write $$'],
    ['extends: { file: /etc/x.yaml, service: a }', 'takes parts of another file'],
    ['build: ../outside', 'is built from ../outside, which is outside of environment/'],
    ['build: /', 'is built from /, which is outside of environment/'],
    ['build: https://a.example/x.git', 'put its files into environment/'],
    ['build: { dockerfile: ../../Dockerfile }', 'which is outside of its build'],
    ['build: { context: ., ssh: [default] }', 'is built with ssh, which can reach out of the task'],
    ['build: { context: ., network: host }', 'is built with network, which can reach out'],
    ['build: { context: ., additional_contexts: { a: / } }', 'is built with additional_contexts'],
    ['build: { context: ., args: [TOKEN] }', 'reads the variable TOKEN of this machine'],
    ['depends_on: [main]', 'waits for main, which starts after all other services'],
    ['depends_on: [other]', 'waits for other, which is not another service'],
    ['networks: [back]', 'is in the network back, which is not declared'],
    ['dns: 1.1.1.1', 'has dns, which is not supported'],
    ['mem_limit: lots', 'has a memory limit that is not a size'],
    ['image: "-v"', 'has a mistake in image: is not the name of an image'],
  ])('with %j is refused', (members, why) => {
    const text = withDb(members).replace(
      members.startsWith('image') ? 'image: db:1\n    ' : '\u0000',
      '',
    )
    expect(() => readCompose(text, {})).toThrow(why)
  })

  it.each([
    ['include: [/etc/x.yaml]', 'it has include, which reaches out of it: remove include'],
    ['secrets: { key: { file: /etc/shadow } }', 'it has secrets, which reaches out of it'],
    ['networks: { n: { external: true } }', 'its network n is not one of its own: remove external'],
    ['networks: { n: { driver: host } }', 'its network n is not one of its own: remove driver'],
    [
      'volumes: { v: { driver_opts: { type: none, o: bind, device: / } } }',
      'its volume v is not one of its own: remove driver_opts',
    ],
    ['volumes: { v: { external: true } }', 'its volume v is not one of its own: remove external'],
  ])('with %j at its top is refused', (line, why) => {
    expect(() => readCompose(withDb('init: true', line), {})).toThrow(why)
  })

  it.each([
    ['services: { db: { image: x } }', null],
    ['services: { main: { command: ./serve } }', 'starts a program of its own'],
    ['services: { main: { healthcheck: { test: "true" } } }', '[environment.healthcheck]'],
    ['services: { main: { entrypoint: [x] } }', 'write it into its Dockerfile'],
    [
      'services: { main: { networks: [a, b] } }\nnetworks: { a: {}, b: {} }',
      'more than one network',
    ],
    ['services: { Main: {} }', 'is not that of a compose file'],
    ['services: { a: &x [*x] }', 'it is nested too deeply'],
    ['services: [', 'it is not valid YAML'],
    ['', 'is not that of a compose file'],
  ])('%j', (text, why) => {
    const read = () => readCompose(text, {})
    if (why === null) expect(read().services.map(({ name }) => name)).toEqual(['db'])
    else expect(read).toThrow(why)
  })

  it('replaces variables as compose does', () => {
    const known = { A: '1', EMPTY: '', B: '${A}' }
    const of = (text: string) => interpolate(text, known)
    expect(of('$A ${A} $$A ${B}')).toBe('1 1 $A ${A}')
    expect(of('${EMPTY:-x} ${EMPTY-x} ${NONE:-${A}y} ${NONE-}')).toBe('x  1y ')
    expect(of('${A:+set}${EMPTY:+set}${EMPTY+there}')).toBe('setthere')
    expect(interpolate({ a: ['$A', 3] }, known)).toEqual({ a: ['1', 3] })
    for (const broken of ['${A', '${A/x}', '${}']) expect(() => of(broken)).toThrow(/^has /)
    expect(() => of('${constructor}')).toThrow('reads the variable constructor')
  })
})

describe('the file that compose gets', () => {
  const parts = {
    project: 'p',
    images: new Map([
      ['api', 'sha256:a'],
      ['seed', 'sha256:b'],
    ]),
    labels: { mark: 'run' },
    isOnline: false,
    files: '/files $',
    limits: { memoryBytes: 1, processes: 2, fileBytes: 3 },
  }

  it('has every member written here, and its network closed', () => {
    expect(describeProject(readCompose(TEXT, HARBOR), parts)).toEqual({
      services: {
        api: expect.objectContaining({
          image: 'sha256:a',
          environment: { WORD: 'hello $$you' },
          depends_on: { seed: { condition: 'service_completed_successfully' } },
          mem_limit: 256 * 2 ** 20,
          pids_limit: 2,
          networks: { default: { aliases: [] } },
          labels: { mark: 'run' },
          security_opt: ['no-new-privileges'],
          volumes: [
            { type: 'volume', source: 'shared', target: '/shared', read_only: true },
            { type: 'bind', source: '/files $$/seed.txt', target: '/seed.txt', read_only: true },
          ],
        }),
        seed: expect.objectContaining({
          command: expect.stringContaining('echo "$$WORD from $$(cat'),
          mem_limit: 1,
        }),
      },
      networks: {
        default: {
          name: 'p-default',
          internal: true,
          driver_opts: { 'com.docker.network.bridge.inhibit_ipv4': 'true' },
          labels: { mark: 'run' },
        },
      },
      volumes: { shared: { name: 'p-shared', labels: { mark: 'run' } } },
    })
    const services = JSON.stringify(describeProject(readCompose(TEXT, HARBOR), parts))
    expect(services).not.toContain('8080:8080')
  })

  it('opens a network where the task has one, but no internal one', () => {
    const text = withDb('networks: [back]', 'networks: { back: { internal: true } }')
    const described = describeProject(readCompose(text, {}), { ...parts, isOnline: true })
    expect(described).toMatchObject({
      networks: {
        default: { name: 'p-default', labels: { mark: 'run' } },
        back: { internal: true },
      },
    })
    expect(described).not.toHaveProperty('networks.default.internal')
  })
})

describe('services', () => {
  const compose = readCompose(TEXT, HARBOR)
  const state = (service: string, status: string, health = '', exitCode = 0): ServiceState => ({
    id: service,
    service,
    status,
    health,
    exitCode,
  })
  const ended = state('seed', 'exited')

  it.each([
    [[], { kind: 'waiting', service: 'api' }],
    [[ended, state('api', 'running', 'healthy')], { kind: 'ready' }],
    [[ended, state('api', 'running', 'starting')], { kind: 'waiting', service: 'api' }],
    [[ended, state('api', 'running', 'unhealthy')], { kind: 'failed', why: 'is not healthy' }],
    [[ended, state('api', 'exited', 'healthy')], { kind: 'failed', why: 'ended with 0' }],
    [[state('seed', 'running'), state('api', 'created')], { kind: 'waiting', service: 'api' }],
    [[state('seed', 'exited', '', 2)], { kind: 'failed', service: 'seed', why: 'ended with 2' }],
  ])('%j', (states, found) => {
    expect(judgeReadiness(compose, states)).toMatchObject(found)
  })
})
