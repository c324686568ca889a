import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { placeError } from '../../../runner-error.ts'
import { makeWhole } from '../../../scratch.ts'
import { npmInstall } from '../../../subjects/agents/npm-install.ts'
import { dataFolder } from '../../../suites/project-paths.ts'
import { nodeProgram } from '../../process/node-program.ts'
import { RUNNER_ENV } from '../../process/own-env.ts'

/** Node's names of architectures, by docker's. */
const PROCESSORS: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' }

/** Returns why Proofboard's programs cannot run in images of a platform (`linux/amd64`); null = they can. */
export function refusePlatform(platform: string): string | null {
  const [os = '', architecture = ''] = platform.split('/')
  if (os === 'linux' && Object.hasOwn(PROCESSORS, architecture)) return null
  return `is for ${platform}: only images for linux/amd64 and linux/arm64 are run`
}

/**
 * Returns the node binary for images of a platform, in the version of this process. Downloaded from its npm package and
 * cached in the data folder. Throws a RunnerError.
 */
export async function fetchNode(platform: string): Promise<string> {
  const version = nodeProgram().version.slice(1)
  const linux = PROCESSORS[platform.split('/')[1] ?? ''] ?? ''
  const name = `node-linux-${linux}`
  const folder = join(dataFolder(RUNNER_ENV), 'images', `${name}@${version}`)
  const programIn = (root: string) => join(root, 'node_modules', name, 'bin', 'node')
  if (existsSync(programIn(folder))) return programIn(folder)
  const failure = await makeWhole(folder, async (draft) => {
    const failed = await npmInstall(draft, `${name}@${version}`, RUNNER_ENV, { linux })
    return failed ?? (existsSync(programIn(draft)) ? null : `${name} contains no node`)
  })
  if (failure === null) return programIn(folder)
  throw placeError(
    `containers need node ${version} for Linux, which could not be installed: ${failure}`,
  )
}
