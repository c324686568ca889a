import type { VerifierSandbox } from '#lib/domain/record/index.ts'

/**
 * The command that starts one test process, before node's own arguments, and how to release it once the process is gone.
 * `wasReady`: it had started inside of the sandbox.
 */
export type SandboxedCommand = {
  command: string[]
  release: (wasReady: boolean) => void | Promise<void>
}

/** A sandbox for the process that runs a solution, whatever sandbox its subject had. `name` as people know it. */
export type GradingSandbox = VerifierSandbox & {
  enter: (nodeArguments: readonly string[]) => SandboxedCommand
  /** Makes it ready; returns why it does not work here, or null. */
  prepare?: () => Promise<string | null>
  /** Its program is installed, so nothing weaker takes its place where it cannot be entered. */
  isRequired?: boolean
}
