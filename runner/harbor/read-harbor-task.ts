import { basename, join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import { slugSchema } from '#lib/domain/record/index.ts'
import { type HarborFile, type HarborTask, harborTaskSchema } from '#lib/domain/tasks/index.ts'
import { present } from '#lib/domain/text/index.ts'
import { harborForAgents } from '../kinds/harbor/for-agents.ts'
import { type Change, digestChanges, readOverlay } from '../repository/overlay.ts'
import { suiteError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { type DescribedTask, describeTask, isForLinux } from './describe-task.ts'
import { HARBOR_FILE, type LoadedHarbor } from './harbor-folder.ts'
import { HARBOR_PROOF_VERSION, readHarborProof } from './proof-store.ts'
import { type ReadDockerfile, readDockerfile } from './read-dockerfile.ts'
import { readInstruction, readPart, requirePart } from './read-part.ts'
import {
  digestStep,
  joinInstructions,
  joinSolutions,
  type ReadStep,
  readSteps,
  withInstructions,
  withSolve,
} from './read-steps.ts'
import { readTaskToml } from './read-task-toml.ts'
import type { Compose } from './services/service.ts'
import { mainImageOf, readTaskServices, type TaskServices } from './services/task-services.ts'

const WITH_SERVICES = 'it has services'

/**
 * Reads one task in Harbor's format, without writing to its folder or running anything of it. Throws a RunnerError with
 * one sentence.
 */
export function readHarborTask(folder: string): LoadedHarbor {
  const name = basename(folder)
  let place = HARBOR_FILE
  const at = <T>(path: string, get: () => T): T => {
    place = path
    return get()
  }
  try {
    const taskId = at(HARBOR_FILE, () => nameOf(name))
    const { file, unknown } = at(HARBOR_FILE, () => readTaskToml(readPart(folder, HARBOR_FILE)))
    const { instruction, tests, solution, steps } = readWork(folder, file, at)
    const environment = at('environment', () => readOverlay(join(folder, 'environment')))
    const { refusal, ...described } = describeTask(file, taskId)
    const services = readTaskServices(environment, described)
    const about = {
      ...withMainService(described, services.compose, environment),
      ...withInstructions(described.steps, steps),
    }
    const image = about.image
    const read = at('environment/Dockerfile', () => readPlace(environment, image, services))
    const found = choosePlace(read.dockerfile, file, about, services.text !== null)
    const task = {
      kind: 'harbor' as const,
      taskId,
      ...about,
      instruction,
      place: placeOf(found),
      env: { ...(found.kind === 'files' ? found.env : {}), ...about.env },
      notes: [...about.notes, ...read.notes, ...listNotes(found, { tests, unknown, file })],
    }
    const judged = {
      version: HARBOR_PROOF_VERSION,
      taskId,
      instruction,
      image,
      env: task.env,
      agent: task.agent,
      verifier: task.verifier,
      limits: task.limits,
      tests: digestChanges(tests),
      environment: digestChanges(environment),
      place: task.place,
      ...optionalParts(about, steps),
    }
    const inputs = digestJson({ ...judged, ...digestSolution(about, { solution, steps }) })
    const why = read.refusal ?? services.refusal ?? refusal
    const proof = readHarborProof(dataFolder(RUNNER_ENV), inputs)
    return {
      folder,
      forAgents: harborForAgents,
      tests,
      testsFolder: 'tests',
      steps: steps.map(({ instruction: _, ...files }) => files),
      wrong: [],
      inputs,
      refusal: why,
      compose: services.text,
      task: at(HARBOR_FILE, () => harborTaskSchema.parse({ ...task, digest: digestJson(judged) })),
      base: found.kind === 'files' ? found.files : [],
      solution: steps.length > 0 ? joinSolutions(steps) : withSolve(solution),
      unproven: why ?? proof.unproven,
      altered: proof.altered,
    }
  } catch (error) {
    throw suiteError(`task ${name} cannot be loaded`, [
      { path: `${name}/${place}`, message: (error as Error).message },
    ])
  }
}

/** Adds settings of the compose file's service `main`; task.toml takes precedence. */
function withMainService(
  about: Omit<DescribedTask, 'refusal'>,
  compose: Compose | null,
  environment: readonly Change[],
): Omit<DescribedTask, 'refusal'> {
  if (compose === null) return about
  const { env, limits } = compose.main
  const isBuilt = environment.some(({ path }) => path === 'Dockerfile')
  const memoryMb = limits.memoryBytes === null ? null : Math.ceil(limits.memoryBytes / 2 ** 20)
  return {
    ...about,
    image: about.image ?? (isBuilt ? null : mainImageOf(compose)),
    env: { ...env, ...about.env },
    limits: {
      ...about.limits,
      cpus: about.limits.cpus ?? limits.cpus,
      memoryMb: about.limits.memoryMb ?? memoryMb,
    },
  }
}

type At = <T>(path: string, get: () => T) => T

/** Reads instruction, tests and solution, of the task or of its steps. */
function readWork(folder: string, file: HarborFile, at: At) {
  const tests = at('tests', () => readOverlay(join(folder, 'tests')))
  const solution = at('solution', () => readOverlay(join(folder, 'solution')))
  const requireTest = (files: readonly Change[]) => {
    // Tasks for another system have other scripts; they are refused by the name of the system.
    if (isForLinux(file)) requirePart(files, 'test.sh')
  }
  if (file.steps.length > 0) {
    const steps = readSteps(folder, file.steps, { tests, solution, at, requireTest })
    return { instruction: at('steps', () => joinInstructions(steps)), tests, solution, steps }
  }
  const instruction = at('instruction.md', () => readInstruction(folder, 'instruction.md'))
  at('tests/test.sh', () => requireTest(tests))
  return { instruction, tests, solution, steps: [] }
}

type About = Pick<HarborTask, 'healthcheck' | 'steps' | 'stepReward' | 'solutionEnv'>

/** Returns the parts of the digest that only some tasks have. */
function optionalParts(
  { healthcheck, steps, stepReward }: About,
  files: readonly ReadStep[],
): Record<string, unknown> {
  return {
    ...(healthcheck && { healthcheck }),
    ...(steps && { steps, stepReward, files: files.map(digestStep) }),
  }
}

function digestSolution(
  { solutionEnv }: About,
  { solution, steps }: { solution: readonly Change[]; steps: readonly ReadStep[] },
): Record<string, unknown> {
  const solutions = steps.map((step) => step.solution && digestChanges(step.solution))
  return {
    solution: digestChanges(solution),
    solutionEnv,
    ...(steps.length > 0 && { solutions }),
  }
}

function nameOf(folder: string): string {
  const parsed = slugSchema.safeParse(folder.toLowerCase())
  if (parsed.success) return parsed.data
  throw new Error('the name of its folder is not a task name: use letters, digits, dots and dashes')
}

type Place = { dockerfile: ReadDockerfile; refusal: string | null; notes: string[] }

function readPlace(
  environment: readonly Change[],
  image: string | null,
  { compose, refusal }: TaskServices,
): Place {
  const fromImage = (why: string): Place => ({
    dockerfile: { kind: 'image', why, workdir: null },
    refusal: null,
    notes: [],
  })
  // Its service defines how `main` is built.
  if (compose?.main.build) return fromImage(WITH_SERVICES)
  const file = environment.find(({ path }) => path === 'Dockerfile')
  if (file?.bytes) return readBuilt(file.bytes.toString('utf8'), environment, image)
  if (image !== null) return fromImage(`it is the image ${image}`)
  if (refusal !== null) return fromImage(WITH_SERVICES)
  throw new Error('is missing')
}

/** A Dockerfile that cannot be built prevents the task from running, unless an image is pulled instead. */
function readBuilt(text: string, environment: readonly Change[], image: string | null): Place {
  try {
    return { dockerfile: readDockerfile(text, environment), refusal: null, notes: [] }
  } catch (error) {
    const broken = (error as Error).message.slice(0, 400)
    const why = image === null ? `its Dockerfile ${broken}` : `it is the image ${image}`
    const place = { kind: 'image' as const, why, workdir: null }
    const refusal = image === null ? `has an environment/Dockerfile that ${broken}` : null
    const notes = image === null ? [] : [`environment/Dockerfile ${broken}: the image is pulled`]
    return { dockerfile: place, refusal, notes }
  }
}

/** `environment.workdir` overrides the Dockerfile's, which determined the paths of its files. */
function moveTo(read: ReadDockerfile, workdir: string): ReadDockerfile {
  if (read.kind === 'image') return { ...read, workdir }
  if (read.workdir === workdir) return read
  const why = `task.toml works in ${workdir}, and the Dockerfile in ${read.workdir}`
  return { kind: 'image', why, workdir }
}

/** Chooses a folder of this machine, or an image where a task needs one: for services, steps, or its own verifier. */
function choosePlace(
  dockerfile: ReadDockerfile,
  file: HarborFile,
  { verifier }: Pick<HarborTask, 'verifier'>,
  hasServices: boolean,
): ReadDockerfile {
  const { workdir } = file.environment
  const moved = workdir === undefined ? dockerfile : moveTo(dockerfile, workdir)
  if (hasServices) return asImage(moved, WITH_SERVICES)
  if (file.steps.length > 0) return asImage(moved, 'it has steps')
  if (verifier.collect !== undefined) return asImage(moved, 'it collects files for its verifier')
  if (verifier.separate === undefined) return moved
  return asImage(moved, 'its verifier runs in an environment of its own')
}

function asImage(read: ReadDockerfile, why: string): ReadDockerfile {
  if (read.kind === 'image') return read
  return { kind: 'image', why, workdir: read.workdir }
}

function placeOf(read: ReadDockerfile): HarborTask['place'] {
  if (read.kind === 'files') return { kind: 'files', workdir: read.workdir, from: read.from }
  return { kind: 'image', workdir: read.workdir, why: read.why.slice(0, 500) }
}

function listNotes(
  read: ReadDockerfile,
  { tests, unknown, file }: { tests: readonly Change[]; unknown: string[]; file: HarborFile },
): string[] {
  const script = tests.find(({ path }) => path === 'test.sh')?.bytes
  const isWindows = script?.includes('\r\n') === true
  const hasUser = file.agent.user !== undefined || file.verifier.user !== undefined
  return present([
    isWindows && 'tests/test.sh has Windows line ends, which Linux shells do not accept',
    read.kind === 'files' &&
      `without docker it runs on the programs of this machine, not on ${read.from}`,
    hasUser && read.kind === 'files' && 'without docker its users are one user of the sandbox',
    ...listPartialLimits(read.kind, file),
    ...unknown
      .slice(0, 20)
      .map((path) => `task.toml: ${path.slice(0, 200)} is unknown and ignored`),
  ])
}

/** Declared limits that are enforced only in part. */
function listPartialLimits(kind: ReadDockerfile['kind'], { environment }: HarborFile): string[] {
  const { cpus, memory_mb: memoryMb, memory, storage_mb: storageMb, storage } = environment
  if (kind === 'image')
    return (storageMb ?? storage) === undefined
      ? []
      : ['its storage limit is a limit for each file, and for HOME and temporary files together']
  return present([
    cpus !== undefined && 'without docker it can use all processors',
    (memoryMb ?? memory) !== undefined &&
      'without docker its memory limit is a limit for each process',
  ])
}
