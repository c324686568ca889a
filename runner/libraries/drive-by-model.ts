import type { GatewayClient, MeteredAttempt } from '../gateway/model-access.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import type { SubjectEnding } from '../subjects/subject-driver.ts'
import type { HostRequest } from './host-protocol.ts'
import { stageFiles } from './mcp/ref-page.ts'
import { buildModelPrompt } from './model-prompt.ts'
import { type LibraryContext, type LibraryRequest, playLibrary } from './play-library.ts'
import type { LibraryTrace } from './read-trace.ts'

/** Default for a plan without a step limit: no workflow is that long. */
const MAX_STEPS = 200

/** Environment and known facts of the work. */
type ModelPlace = Omit<LibraryRequest, 'drive'> & {
  instruction: string
  /** The library has its own prompt and tools, and gets only the task. */
  hasOwnLoop?: boolean
}

/**
 * Runs one attempt of a model that drives a library's MCP server: opens a gateway with the plan's pins and budgets,
 * plays in a process that knows the gateway and a dummy key, and returns what both observed. The gateway's part
 * (`report`, `calls`, `recording`) is in the ending as for an agent; `trace` contains the tool calls.
 */
export async function driveByModel(
  client: GatewayClient,
  turn: LibraryContext & MeteredAttempt,
  { instruction, hasOwnLoop = false, ...place }: ModelPlace,
  env: Env,
): Promise<{ ending: SubjectEnding; trace: LibraryTrace }> {
  const { temperature, maxSteps } = turn.settings
  const { origin, start, files } = place
  const staged = await stageFiles(place.folder, Object.values(files))
  const prompt = buildModelPrompt({ instruction, origin, start, files: staged, hasOwnLoop })
  const gateway = await client.openGateway(client, turn)
  const drive: HostRequest['drive'] = {
    kind: 'llm',
    baseUrl: gateway.url,
    key: gateway.dummyKey,
    protocol: client.provider.protocol,
    model: client.subject.modelRequested ?? '',
    temperature: typeof temperature === 'number' ? temperature : null,
    maxSteps: (maxSteps ?? MAX_STEPS) + 1, // the gateway's own budget applies first
    prompt: prompt.text,
  }
  // A call is recorded just after its last byte, so the report is read after the gateway has closed.
  const { ending, ...trace } = await playLibrary(turn, { ...place, drive }, env, {
    gateway: gateway.socket,
  }).finally(() => gateway.close())
  const { version, digest } = prompt
  return {
    ending: {
      ...ending,
      prompt: { version, digest, passedBy: 'stdin' },
      report: gateway.report(),
      recording: await gateway.recording(),
      calls: gateway.calls(),
      transcript: gateway.transcript,
    },
    trace,
  }
}
