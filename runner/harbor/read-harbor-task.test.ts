import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findSuiteLocation } from '../kinds/find-suite.ts'
import { leftOutLines } from '../suites/left-out.ts'
import { HARBOR_FILES, writeHarborTask } from './harbor-task.fixture.ts'
import { loadHarborTasks } from './load-harbor-suite.ts'
import { readHarborTask } from './read-harbor-task.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const fresh = () => mkdtempSync(join(root, 'task-'))
const read = (more: Record<string, string | null> = {}) =>
  readHarborTask(writeHarborTask(fresh(), more))

/** Every member of the format, in one file. */
const WHOLE = `schema_version = "1.4"
source = "somewhere"
artifacts = ["/app/out", { source = "/app/log", destination = "log" }]
future = { is = "kept" }

[task]
name = "org/lower-case"
version = "2"
description = "Lower case."
authors = [{ name = "A", email = "a@example.org" }, { name = "B" }]
keywords = ["text", "files"]

[metadata]
difficulty = "Hard"
category = "text"
tags = ["files", "shell"]
expert_time_estimate_min = 1.5

[verifier]
timeout_sec = 90.5
user = "root"
env = { WANTED = "\${WANTED:-hello}" }
network_mode = "no-network"
environment_mode = "shared"

[agent]
timeout_sec = 45
user = 1000
allowed_hosts = ["example.org"]
speed = 3

[environment]
build_timeout_sec = 60
docker_image = "example/lower:1"
os = "linux"
cpus = 2
memory = "2G"
memory_mb = 2048
storage = "512M"
gpus = 0
gpu_types = ["T4"]
network_mode = "public"
skills_dir = "/skills"
env = { PLACE = "here" }

[[environment.mcp_servers]]
name = "files"
transport = "stdio"
command = "serve"
args = ["--all"]

[solution]
env = { SOLVES = "yes" }
`

describe('readHarborTask', () => {
  it('reads every member of task.toml, and keeps what it does not know as a note', () => {
    const { task, unproven, refusal } = read({ 'task.toml': WHOLE })
    expect(task).toMatchObject({
      kind: 'harbor',
      taskId: 'greet',
      title: 'Lower case',
      category: 'text',
      difficulty: 'hard',
      authors: ['A', 'B'],
      keywords: ['text', 'files', 'shell'],
      image: 'example/lower:1',
      env: { PLACE: 'here' },
      solutionEnv: { SOLVES: 'yes' },
      agent: { timeoutMs: 45_000, user: '1000', network: 'off' },
      verifier: { timeoutMs: 90_500, user: 'root', network: 'off', env: { WANTED: 'hello' } },
      limits: { buildMs: 60_000, cpus: 2, memoryMb: 2048, storageMb: 512 },
      place: { kind: 'files', workdir: '/app', from: 'debian:12' },
    })
    expect([refusal, unproven]).toEqual([
      null,
      expect.stringContaining('which needs bubblewrap or docker'),
    ])
    expect(task.notes).toEqual([
      'its MCP servers are not offered to the agent',
      'its skills folder is not passed to the agent',
      'its list of allowed hosts cannot be enforced: the network is off instead',
      'its artifacts are not collected',
      'without docker it runs on the programs of this machine, not on debian:12',
      'without docker its users are one user of the sandbox',
      'without docker it can use all processors',
      'without docker its memory limit is a limit for each process',
      'task.toml: future is unknown and ignored',
      'task.toml: agent.speed is unknown and ignored',
    ])
  })

  it('takes the defaults of the format: the network is open unless the task closes it', () => {
    const { task } = read({ 'task.toml': '' })
    expect(task.agent).toEqual({ timeoutMs: null, user: null, network: 'on' })
    expect(task.verifier).toMatchObject({ timeoutMs: 600_000, network: 'on' })
    expect(read({ 'task.toml': '[environment]\nallow_internet = false\n' }).task).toMatchObject({
      agent: { network: 'off' },
      verifier: { network: 'off' },
    })
  })

  it('reads Windows line ends, and notes them where a shell would stumble', () => {
    const crlf = (path: string) => ({ [path]: (HARBOR_FILES[path] ?? '').replaceAll('\n', '\r\n') })
    const { task } = read({
      ...crlf('task.toml'),
      ...crlf('instruction.md'),
      ...crlf('environment/Dockerfile'),
      ...crlf('tests/test.sh'),
    })
    expect(task.instruction).toBe(HARBOR_FILES['instruction.md']?.trim())
    expect(task.place.kind).toBe('files')
    expect(task.notes[0]).toContain('tests/test.sh has Windows line ends')
  })

  it('names the system of a task for another one, whose scripts have other names', () => {
    const more = { 'task.toml': '[environment]\nos = "windows"\n', 'tests/test.sh': null }
    expect(read({ ...more, 'tests/test.bat': 'rem' }).refusal).toContain('is for windows')
  })

  it('covers by its digest what decides a pass, and by its inputs the solution too', () => {
    const digestsOf = (more: Record<string, string>) => {
      const { task, inputs } = read(more)
      return [task.digest, inputs]
    }
    const [digest, inputs] = digestsOf({})
    for (const path of ['instruction.md', 'tests/more.py', 'environment/word.txt'])
      expect(digestsOf({ [path]: 'other' })).not.toContain(digest)
    expect(digestsOf({ 'solution/solve.sh': 'other' })).toEqual([
      digest,
      expect.not.stringContaining(inputs ?? ''),
    ])
  })

  it.each([
    ['[environment\n', 'task.toml: line 1 is not valid TOML'],
    ['[verifier]\ntimeout_sec = "long"', 'task.toml: verifier.timeout_sec: '],
    ['[verifier]\ntimeout_sec = -1', 'task.toml: verifier.timeout_sec: '],
    ['[environment]\ndocker_image = "--privileged"', 'environment.docker_image: is not the name'],
    ['[environment]\nworkdir = "/app/../etc"', 'environment.workdir: must not contain ".."'],
    ['[environment]\nmemory = "lots"', 'environment.memory: must be a size'],
    [
      '[environment]\nmemory = "1G"\nmemory_mb = 5',
      'environment.memory: is 1G, and environment.memory_mb is 5',
    ],
    ['[agent]\nnetwork_mode = "some"', 'agent.network_mode: '],
    [
      '[agent]\nnetwork_mode = "public"\nallowed_hosts = ["a"]',
      'agent.allowed_hosts: is for network_mode',
    ],
    ['[[environment.mcp_servers]]\nname = "x"', 'environment.mcp_servers.0.url: is missing'],
    ['[task]\nname = 3', 'task.name: '],
    ['[environment.healthcheck]\nretries = 3', 'environment.healthcheck.command: '],
    [
      '[environment.healthcheck]\ncommand = "true"\nretries = 0',
      'environment.healthcheck.retries: ',
    ],
    [
      '[environment.healthcheck]\ncommand = "true"\ntimeout_sec = 0',
      'environment.healthcheck.timeout_sec: ',
    ],
    ['[verifier]\nenv = { "A B" = "1" }', 'verifier.env: has a name that is none of a variable'],
    [
      '[verifier]\nenv = { TZ = "Mars/Phobos" }',
      'verifier.env: has a TZ that is not a time zone: use a name such as "Europe/Berlin"',
    ],
  ])('says what is wrong in %j', (toml, sentence) => {
    expect(() => read({ 'task.toml': toml })).toThrow(sentence)
  })

  it.each([
    ['instruction.md', null, 'instruction.md: is missing'],
    ['instruction.md', '  \n', 'instruction.md: is empty'],
    ['instruction.md', 'x'.repeat(5 << 20), 'instruction.md: has 5,242,880 bytes'],
    ['tests/test.sh', null, 'tests/test.sh: is missing'],
    ['environment/Dockerfile', null, 'environment/Dockerfile: is missing'],
    ['tests/.git/config', 'x', 'tests/test.sh: '],
  ])('says what is wrong with %s', (path, text, sentence) => {
    const wanted = path.startsWith('tests/.git') ? 'is a file of git' : sentence
    expect(() => read({ [path]: text })).toThrow(wanted)
  })

  it.each([
    ['WORKDIR /app\n', 'has no FROM line'],
    [
      'FROM a\nCOPY ../../etc/passwd .\n',
      'copies ../../etc/passwd, which leads out of environment/',
    ],
    ['FROM a\nCOPY nothing .\n', 'copies nothing, which is not in environment/'],
  ])(
    'does not run a task whose Dockerfile cannot be built, %j, unless its image is pulled',
    (text, why) => {
      const own = read({ 'environment/Dockerfile': text })
      const refusal = `has an environment/Dockerfile that ${why}`
      expect([own.unproven, own.refusal, own.base]).toEqual([refusal, refusal, []])
      const pulled = read({
        'environment/Dockerfile': text,
        'task.toml': '[environment]\ndocker_image = "example/lower:1"\n',
      })
      expect(pulled.refusal).toBeNull()
      expect(pulled.task.place).toMatchObject({
        kind: 'image',
        why: 'it is the image example/lower:1',
      })
      expect(pulled.task.notes).toContain(`environment/Dockerfile ${why}: the image is pulled`)
    },
  )

  it.each([
    ['FROM a\nARG X=1\n', 'it has a line ARG'],
    ['FROM a\nONBUILD COPY . .\n', 'it has a line ONBUILD'],
    ['FROM a\nENTRYPOINT ["/start"]\n', 'it starts a program of its own (ENTRYPOINT)'],
    ['FROM a AS b\nFROM c\n', 'it is built in several stages'],
    ['FROM a\nRUN make\n', 'it runs commands: make'],
    ['FROM a\nCOPY --from=x a b\n', 'COPY has the option --from=x'],
    ['FROM a\nCOPY *.txt .\n', 'COPY takes names with wildcards'],
    ['FROM a\nWORKDIR $HOME\n', 'WORKDIR uses a variable of the build'],
    ['FROM a\nWORKDIR /etc/x\n', 'it works in /etc/x, a folder of the system'],
    ['FROM a\nWORKDIR /\n', 'it works in the root folder'],
    ['FROM a\nCOPY word.txt /data/word.txt\n', 'it puts /data/word.txt outside of /app'],
    ['FROM a\nADD https://example.org/x .\n', 'ADD fetches or unpacks'],
  ])('needs an image for %j', (dockerfile, why) => {
    expect(read({ 'environment/Dockerfile': dockerfile }).task.place).toMatchObject({
      kind: 'image',
      why,
    })
  })

  it('places the files of COPY as docker does', () => {
    const { base, task } = read({
      'environment/Dockerfile': `# a comment
FROM debian:12
LABEL a=b
ENV A=1 B="two words"
WORKDIR /srv
WORKDIR deep
COPY word.txt renamed.txt
COPY --chown=1:1 data /srv/deep/copy
COPY word.txt \\
  data/ all/
CMD ["sh"]
`,
      'environment/data/a.txt': 'a',
      'environment/data/b/c.txt': 'c',
    })
    expect(task.env).toEqual({ A: '1', B: 'two words' })
    expect(base.map(({ path }) => path)).toEqual([
      ...['all/a.txt', 'all/b/c.txt', 'all/word.txt', 'copy/a.txt', 'copy/b/c.txt', 'renamed.txt'],
    ])
  })

  it.each([
    ['[environment]\nos = "Windows"', 'is for Windows'],
    ['[environment]\ngpus = 1', 'needs a GPU or TPU'],
    ['[[verifier.collect]]\ncommand = "dump"\nservice = "db"', 'task.toml collects from db'],
    [
      'artifacts = [{ source = "/app", service = "db" }]\n[verifier]\nenvironment_mode = "separate"',
      'task.toml collects from db, and there is no environment/docker-compose.yaml',
    ],
    [
      'artifacts = ["/app/../etc"]\n[verifier]\nenvironment_mode = "separate"',
      'hands its verifier artifacts that are not plain absolute paths',
    ],
  ])('reads a task with %j and says that it is not run', (toml, why) => {
    expect(read({ 'task.toml': toml }).unproven).toContain(why)
  })
})

describe('a folder of tasks', () => {
  it('is a suite by what it holds, its tasks in the order of their names', () => {
    const parent = fresh()
    writeHarborTask(join(parent, 'tasks'), {}, 'b')
    writeHarborTask(join(parent, 'tasks'), {}, 'A.1')
    expect(findSuiteLocation(parent, root)).toMatchObject({ folder: parent, origin: 'imported' })
    expect(loadHarborTasks(parent).tasks.map(({ task }) => task.taskId)).toEqual(['a.1', 'b'])
    expect(loadHarborTasks(join(parent, 'tasks', 'b')).tasks).toHaveLength(1)
  })

  it('leaves out a task that cannot be read, and loads the others', () => {
    const parent = fresh()
    writeHarborTask(parent, { 'task.toml': 'x' }, 'broken')
    writeHarborTask(parent, {}, 'Good')
    writeHarborTask(parent, {}, 'good')
    const { tasks, leftOut } = loadHarborTasks(parent)
    expect(tasks.map(({ task }) => task.taskId)).toEqual(['good'])
    expect(leftOutLines(leftOut)).toEqual([
      expect.stringMatching(/^broken is left out: broken\/task.toml: line 1/),
      'good is left out: good: has the name of another folder, but for its case',
    ])
  })

  it('tells every task that cannot be read where none can, and the older format by its name', () => {
    const parent = fresh()
    writeHarborTask(parent, { 'task.toml': 'x' }, 'one')
    writeHarborTask(parent, { 'instruction.md': '' }, 'two')
    expect(() => loadHarborTasks(parent)).toThrow(
      /one\/task.toml: line 1[\s\S]*two\/instruction.md: is empty/,
    )
    const older = fresh()
    for (const name of ['task.yaml', 'run-tests.sh']) writeFileSync(join(older, name), '')
    expect(() => findSuiteLocation(older, root)).toThrow('the first format of Terminal-Bench')
    for (const name of ['terminal-bench@2.0', 'an-organisation/dataset@head'])
      expect(() => findSuiteLocation(name, root)).toThrow(
        'it is a name of Harbor’s registry: import it with',
      )
    expect(() => findSuiteLocation('terminal-bench', root)).toThrow('unknown suite')
  })
})
