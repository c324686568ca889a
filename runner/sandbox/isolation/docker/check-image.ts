import { z } from 'zod'
import { formatBytes, parseJson } from '#lib/domain/text/index.ts'
import { placeError } from '../../../runner-error.ts'
import { docker, lastWord } from './docker-client.ts'
import { refusePlatform } from './linux-node.ts'

const inspectedSchema = z.object({ Os: z.string(), Architecture: z.string(), Size: z.number() })
type Inspected = z.infer<typeof inspectedSchema>

type ImageRequirements = {
  /** Start of the error message. */
  what: string
  /** True if node and agents run in it; otherwise only its own scripts. */
  needsNode: boolean
  /** False if it starts its own program, so that it can lack a shell; absent = true. */
  needsShell?: boolean
  /** Users that programs are started as; null = the image's default. */
  users?: readonly (string | null)[]
}

const checked = new Map<string, Promise<string>>()

/**
 * Checks whether programs can run in an image, before anything is paid: its platform, size, shell, C library and users.
 * Returns the platform (`linux/amd64`). Throws a RunnerError with one sentence.
 */
export function checkImage(image: string, request: ImageRequirements): Promise<string> {
  const key = JSON.stringify([image, request])
  const known = checked.get(key)
  if (known !== undefined) return known
  const checking = check(image, request)
  checked.set(key, checking)
  checking.catch(() => checked.delete(key))
  return checking
}

async function check(
  image: string,
  { what, needsNode, needsShell = true, users = [] }: ImageRequirements,
): Promise<string> {
  const found = await docker(['image', 'inspect', '--format', '{{json .}}', image])
  const parsed = inspectedSchema.safeParse(parseJson(found.stdout))
  if (found.code !== 0 || !parsed.success)
    throw placeError(`${what} is not on this machine: ${lastWord(found)}`)
  const platform = `${parsed.data.Os}/${parsed.data.Architecture}`
  const refusal =
    refuseInspected(parsed.data) ??
    (await refuseShell(image, { platform, needsNode, needsShell })) ??
    (await refuseUsers(image, users))
  if (refusal !== null) throw placeError(`${what} ${refusal}`)
  return platform
}

/** Larger images are usually a mistake. */
const MAX_BYTES = 40e9

/** Returns why an image must not be started, from its metadata; null = it may be. */
export function refuseInspected({ Os, Architecture, Size }: Inspected): string | null {
  const refusal = refusePlatform(`${Os}/${Architecture}`)
  if (refusal !== null || Size <= MAX_BYTES) return refusal
  return `has ${formatBytes(Size)}, more than ${formatBytes(MAX_BYTES)}: make it smaller`
}

/** Shell script that prints the C libraries of an image, found by their loaders. */
const ASK = `
for f in /lib/ld-musl-*; do [ -e "$f" ] && echo musl; done
for f in /lib*/ld-linux-* /lib/*/ld-linux-* /usr/lib*/ld-linux-*; do [ -e "$f" ] && echo glibc; done
exit 0`

type ShellNeeds = { platform: string; needsNode: boolean; needsShell?: boolean }

async function refuseShell(image: string, needs: ShellNeeds): Promise<string | null> {
  return refuseSaid(await start(image, '0', ASK), needs)
}

/** Returns why programs cannot run in an image, from the output of `ASK` in it; null = they can. */
export function refuseSaid(
  ending: { code: number | null; stdout: string; stderr: string },
  { platform, needsNode, needsShell = true }: ShellNeeds,
): string | null {
  if (/exec format error/i.test(ending.stderr))
    return `is for ${platform}, which this machine cannot run: build or pull it for this processor`
  if (!needsShell) return null
  if (ending.code !== 0) return `has no shell that can be started (/bin/sh): ${lastWord(ending)}`
  const libraries = ending.stdout.split('\n')
  if (!needsNode || libraries.includes('glibc')) return null
  return libraries.includes('musl')
    ? 'has musl as its C library (Alpine), for which neither node nor agents are built: use an image with glibc, such as Debian or Ubuntu'
    : 'has no C library that node and agents can use (glibc): use an image such as Debian or Ubuntu'
}

async function refuseUsers(
  image: string,
  users: readonly (string | null)[],
): Promise<string | null> {
  for (const user of new Set(users)) {
    const ending = user === null ? null : await start(image, user, 'exit 0')
    if (ending !== null && ending.code !== 0)
      return `cannot start programs as the user ${user}: ${lastWord(ending)}`
  }
  return null
}

/** Starting takes docker seconds, and longer on a busy machine. */
const MAX_START_MS = 120_000

function start(image: string, user: string, script: string) {
  const closed = ['--rm', '--pull=never', '--network=none', '--log-driver=none', `--user=${user}`]
  return docker(['run', ...closed, '--entrypoint=/bin/sh', image, '-c', script], MAX_START_MS)
}
