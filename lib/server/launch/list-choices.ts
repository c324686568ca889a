import { z } from 'zod'
import { database } from '../../db/database.ts'
import { listModels } from '../../db/subject-store.ts'
import { findSuite } from '../../db/suite-store.ts'
import { configuredExecutors, EXECUTOR_TITLES } from '../../domain/executors/index.ts'
import {
  type DefaultIsolation,
  defaultIsolationSchema,
  type LaunchChoices,
  listControls,
  type SubjectChoice,
  type TaskChoice,
} from '../../domain/runs/index.ts'
import { faultsOf, runsBrowser, type Suite } from '../../domain/tasks/index.ts'
import { queryRunner } from '../../processes/spawn-runner.ts'
import { listRunnable } from '../board/runnable-suites.ts'
import { readExecutors } from '../remote/executors.ts'

const MAX_MODELS = 200
const NO_SUBJECTS: ListedSubjects = { subjects: [], isolation: null, failure: null }

export type SuiteChoices = { suite: Suite | null } & {
  choices: Pick<LaunchChoices, 'suites' | 'suite'>
}

/**
 * Lists the suites that can be launched here, and the selected one; an empty name selects the first. Starts no runner.
 */
export async function listSuiteChoices(suiteId: string): Promise<SuiteChoices> {
  const suites = await listRunnable()
  const wanted = suiteId || suites[0]?.suiteId
  const stored = wanted === undefined ? null : await findSuite(database(), wanted)
  const suite = stored?.kind === 'reported' ? null : stored
  return {
    suite,
    choices: {
      suites: suites.map(({ suiteId: id, title }) => ({ suiteId: id, title })),
      suite: suite && { suiteId: suite.suiteId, kind: suite.kind, tasks: listTasks(suite) },
    },
  }
}

type Choices = { suite: Suite | null; choices: LaunchChoices }

/** Lists what can be launched on a suite here. Subjects that cannot start are listed with the reason. */
export async function listChoices(suiteId: string, now: number): Promise<Choices> {
  const [{ suite, choices }, models] = await Promise.all([
    listSuiteChoices(suiteId),
    listModels(database(), MAX_MODELS),
  ])
  const listing = suite ? await askSubjects(suite.kind, now) : NO_SUBJECTS
  return {
    suite,
    choices: {
      ...choices,
      subjects: suite ? [...listControls(suite.kind), ...listing.subjects] : [],
      models,
      isolation: listing.isolation,
      executors: configuredExecutors(readExecutors()).map((name) => {
        return { name, title: EXECUTOR_TITLES[name] }
      }),
      failure: listing.failure,
    },
  }
}

function listTasks({ tasks }: Suite): TaskChoice[] {
  return tasks.map((task) => ({
    taskId: task.taskId,
    category: task.category,
    faults: 'faults' in task ? faultsOf(task) : [],
  }))
}

const keysSchema = z.array(
  z.object({
    provider: z.string(),
    anyOf: z.array(z.string()),
    present: z.array(z.string()),
    needsKey: z.boolean(),
  }),
)

const agentsSchema = z.object({
  agents: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      installed: z.boolean(),
      version: z.string().nullable(),
      keys: keysSchema,
      otherProviders: keysSchema,
      meteringReason: z.string().nullable(),
      hint: z.string(),
    }),
  ),
  isolation: defaultIsolationSchema,
})

const librariesSchema = z.object({
  problem: z.string().nullable(),
  libraries: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      version: z.string().nullable(),
      driven: z.array(z.string()),
      providers: keysSchema,
      missing: z.string().nullable(),
    }),
  ),
})

type ListedSubjects = {
  subjects: SubjectChoice[]
  isolation: DefaultIsolation | null
  failure: string | null
}

const KEEP_MS = 60_000
/** Timeout of the runner, so that the page is shown without it. */
const MAX_MS = 30_000
const cached = new Map<Suite['kind'], { at: number; listing: Promise<ListedSubjects> }>()

/** Asks the runner for the subjects that can run a kind of suite on this machine, cached for a minute. */
function askSubjects(kind: Suite['kind'], now: number): Promise<ListedSubjects> {
  const known = cached.get(kind)
  if (known && now - known.at < KEEP_MS) return known.listing
  const listing = runsBrowser(kind) ? askLibraries() : askAgents()
  const entry = { at: now, listing }
  cached.set(kind, entry)
  // Failures are not cached, so that a reload shows when they are fixed.
  const forget = () => {
    if (cached.get(kind) === entry) cached.delete(kind)
  }
  void listing.then(({ failure }) => (failure === null ? undefined : forget()), forget)
  return listing
}

async function askAgents(): Promise<ListedSubjects> {
  const { output, ending } = await ask(['agents', 'doctor', '--json'])
  const found = agentsSchema.safeParse(output)
  if (!found.success) return { subjects: [], isolation: null, failure: failureOf('agents', ending) }
  const { agents, isolation } = found.data
  return { subjects: agents.map(toAgent), isolation, failure: null }
}

type FoundAgent = z.infer<typeof agentsSchema>['agents'][number]

function toAgent(agent: FoundAgent): SubjectChoice {
  const { name, title, version, keys, otherProviders, meteringReason } = agent
  return {
    kind: 'agent',
    name,
    title,
    version,
    missing: missingOf(agent),
    model: 'needed',
    providers: [...keys, ...otherProviders].map(toProvider),
    unmetered: meteringReason,
  }
}

function toProvider({ provider, anyOf, present, needsKey }: z.infer<typeof keysSchema>[number]) {
  const isMissing = needsKey && present.length === 0
  return { name: provider, missingKeys: isMissing ? anyOf : null }
}

function missingOf({ installed, version, hint }: FoundAgent): string | null {
  // Pages show commands as typed in a project's folder.
  const command = hint.replace(/^proofboard /, 'npx proofboard ')
  if (!installed) return `it is not installed. To install it: ${command}`
  return version === null
    ? `its version cannot be determined. To install it again: ${command}`
    : null
}

async function askLibraries(): Promise<ListedSubjects> {
  const { output, ending } = await ask(['libraries', '--json'])
  const found = librariesSchema.safeParse(output)
  if (!found.success)
    return { subjects: [], isolation: null, failure: failureOf('libraries', ending) }
  const { libraries, problem } = found.data
  const subjects = libraries.map(({ name, title, version, driven, providers, missing }) => ({
    kind: 'library' as const,
    name,
    title,
    version,
    missing: missing ?? problem,
    model: modelFor(driven),
    providers: providers.map(toProvider),
    unmetered: null,
  }))
  return { subjects, isolation: null, failure: null }
}

/** Returns whether a library needs a model. One with its own model loop cannot be scripted. */
function modelFor(driven: readonly string[]): SubjectChoice['model'] {
  if (!driven.includes('llm')) return 'none'
  return driven.includes('scripted') ? 'possible' : 'needed'
}

function ask(args: readonly string[]) {
  return queryRunner(args, AbortSignal.timeout(MAX_MS))
}

function failureOf(what: string, { lastMessage }: { lastMessage: string }): string {
  const why = lastMessage ? `: ${lastMessage.slice(0, 300)}` : ''
  return `The runner could not list the ${what}${why}. Reload the page in a moment.`
}
