import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { rungSchema, tracedActionSchema } from '#lib/domain/record/index.ts'
import { mcpDefinitionSchema } from './mcp/mcp-definition.ts'

const ms = z.number().nonnegative()

/**
 * Request of the harness to the process that hosts one library for one episode (`host/main.ts`), as JSON on stdin. It
 * contains nothing that a user of the app would not know: no control address, no secret, no contract.
 */
export const hostRequestSchema = z.object({
  library: z.string(),
  /** For an MCP server that the user's own file defines. */
  definition: mcpDefinitionSchema.optional(),
  /**
   * `scripted`: the bundled driver module to import; `llm`: the model behind the metering gateway; `agent`: a coding
   * agent to start, which then starts this same program as its MCP server.
   */
  drive: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('scripted'), driverPath: z.string(), wrong: z.string().nullable() }),
    z.object({
      kind: z.literal('llm'),
      baseUrl: z.string(),
      key: z.string(),
      protocol: z.string(),
      model: z.string(),
      temperature: z.number().nullable(),
      maxSteps: z.number().int().positive(),
      prompt: z.string(),
    }),
    z.object({
      kind: z.literal('agent'),
      argv: z.array(z.string()).min(1),
      env: z.record(z.string(), z.string()),
      cwd: z.string(),
      stdin: z.string().nullable(),
    }),
  ]),
  endpoint: z.string(),
  webdriverPort: z.number().int().nullable(),
  /** Sockets that the host exposes as ports of its own loopback, if it has no other network. */
  sockets: z.array(z.object({ port: z.number().int(), socketPath: z.string() })),
  /** The chromedriver that the host starts with the library, if none outside can be reached. */
  chromedriver: z.string().nullable(),
  origin: z.string(),
  start: z.string(),
  files: z.record(z.string(), z.string()),
  actionTimeoutMs: z.number().int().positive(),
  maxActions: z.number().int().positive(),
  /** A folder for files that the library writes. */
  folder: z.string(),
  /** The trace file: one line per action, then the report. */
  tracePath: z.string(),
})
export type HostRequest = z.infer<typeof hostRequestSchema>

/** The host's report at the end: the last line of its trace. */
const hostReportSchema = z.object({
  /** `finished`: the driver reached its end; `gave-up`: the ladder's last rung failed; `unsupported`: not possible. */
  ending: z.enum(['finished', 'gave-up', 'unsupported', 'out-of-actions']),
  connectMs: ms.nullable(),
  libraryError: z
    .object({ step: z.string().nullable(), action: z.string().nullable(), message: z.string() })
    .nullable(),
  /** The highest rung that was needed; null = nothing went wrong. */
  rung: rungSchema.nullable(),
  /** Time of the first error, as milliseconds since the epoch; null = none. */
  firstErrorAt: z.number().nullable(),
  resultBytes: z.number().int().nonnegative().nullable(),
  resultTokens: z.number().int().nonnegative().nullable(),
})
export type HostReport = z.infer<typeof hostReportSchema>

const hostLineSchema = z.union([
  z.object({ action: tracedActionSchema }),
  /** End of a driver's step; only the filmstrip uses it. */
  z.object({ stepEnd: z.object({ step: z.string().max(200), endMs: ms }) }),
  z.object({ report: hostReportSchema }),
])
export type HostLine = z.infer<typeof hostLineSchema>

const MAX_LINE = 16 << 10

/** Parses one line of a trace; null = too long, or invalid. */
export function parseHostLine(line: string): HostLine | null {
  if (line.length > MAX_LINE) return null
  try {
    return hostLineSchema.parse(JSON.parse(line))
  } catch {
    return null
  }
}

const MOST = 2000

/** Returns an error's message without colours and control characters, at most 2000 characters. */
export function plainMessage(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  const plain = stripVTControlCharacters(message)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trim()
  return plain.length > MOST ? `${plain.slice(0, MOST - 1)}…` : plain
}

/** A unix socket of the harness and its port on the library's own loopback. */
export type ForwardedSocket = { port: number; socketPath: string }

/** The only exits from a library's sandbox: its browser's debugging port, and a chromedriver that it starts inside. */
export type LibrarySockets = { browser: ForwardedSocket; chromedriver: string | null }
