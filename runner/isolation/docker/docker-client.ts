import { OWN_ENV } from '../../process/own-env.ts'
import { runTool, type ToolEnding } from '../../process/run-tool.ts'

// What the docker program needs to find its daemon; DOCKER_HOST chooses another socket.
const PASSED_ON = [
  'PATH',
  'HOME',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'XDG_RUNTIME_DIR',
] as const

export const LABEL = {
  image: 'org.proofboard.image',
  run: 'org.proofboard.run',
  host: 'org.proofboard.host',
  runner: 'org.proofboard.runner',
} as const

export function dockerEnv(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (OWN_ENV[name] ? [[name, OWN_ENV[name] as string]] : [])),
  )
}

/** One docker command; answers how it ended, never throws. */
export function docker(args: readonly string[], timeoutMs = 30_000): Promise<ToolEnding> {
  return runTool(['docker', ...args], { env: dockerEnv(), timeoutMs })
}

/** What a failed tool said last, short enough for one sentence. */
export function lastWord({ stderr }: ToolEnding): string {
  return stderr.trim().split('\n').at(-1)?.trim().slice(0, 300) || 'nothing'
}
