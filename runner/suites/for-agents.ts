import type { ArmContent } from '#lib/domain/record/index.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'

type Level = Isolation['level']

/** Isolation levels of the agent, and of set-up and verifier; `agent` null = no agent's program is started. */
export type Levels = { agent: Level | null; judging: Level }

/** A part of a task that limits its memory, and the level at which it runs. */
export type DeclaredLimit = { part: string; bytes: number | undefined; level: Level | null }

/** The weakest isolation level at which a task can be run, and why. */
export type NeededLevel = { level: 'bubblewrap' | 'docker'; why: string }

type Source = { text: string }

/** Texts that a task hides from agents, and those that it shows. */
export type Answers = {
  reference: readonly Source[]
  tests: readonly Source[]
  heldOut: Source | null
  stubs: readonly Source[]
  instructions: string
}

/** Operations on a task for agents, controls, arms and limits; each kind of agent tasks implements them once. */
export type ForAgents<T> = {
  /** At isolation docker its agents work in the task's own image, where an arm's files cannot be copied. */
  hasOwnImage: boolean
  /** Returns the task's parts of the prompt. */
  prompt(task: T): string[]
  /** Returns each step as a task of its own, in order; absent = its tasks have no steps. */
  steps?(task: T): readonly T[]
  /** Returns shell commands that look at the task, and that write its solution. */
  solve(task: T): { look: string; write: string }
  /** The reason that no solution can be submitted, as the end of a sentence; absent or null = one can. */
  refuseReference?(task: T): string | null
  /** Writes the task's own solution, as a subject that knows it would; returns what was submitted. */
  writeReference(task: T, workspace: string): Promise<string>
  /** Writes a stored wrong solution; returns what was submitted. */
  writeWrong(task: T, place: number, workspace: string): Promise<string>
  /** Tries to influence the verdict, differently for each `draw`; returns what it did. */
  cheat(task: T, draw: number, workspace: string): Promise<string>
  /** Why cheating does nothing here, as the end of a sentence; null = it can be tried. */
  refuseCheating(task: T): string | null
  /** Why an arm's files cannot be copied into the workspace, as the end of a sentence; null = they can. */
  refuseOverlay(files: ArmContent['files'], task: T): string | null
  /** Lists the memory limits that the task declares. */
  declaredLimits(task: T, levels: Levels): DeclaredLimit[]
  /** Null = any level. */
  neededLevel(task: T): NeededLevel | null
  /** Lists facts that a reader of results needs although the proof is valid, a sentence each. */
  warnings(task: T): string[]
  /** Null = the task has no texts that could be searched for. */
  answers(task: T): Answers | null
  /** Texts that every agent sees in its workspace; null = unknown. */
  visibleTexts(task: T, isOfArm: (path: string) => boolean): string[] | null
  /** True for a path that the task itself contains. */
  owns(task: T, path: string): boolean
}
