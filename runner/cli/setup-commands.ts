import { join } from 'node:path'
import type { Command } from 'commander'
import { ensureBrowser } from '#lib/setup/ensure-browser.mjs'
import { SetupFailure } from '#lib/setup/progress.mjs'
import { findChromium } from '../browser/find-chromium.ts'
import { placeError } from '../runner-error.ts'
import { buildImage } from '../sandbox/isolation/docker/build-image.ts'
import { listImages } from '../sandbox/isolation/docker/docker-client.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { printJsonResult, printResult, writeError } from './output.ts'

/** `proofboard image`: the container image for `--isolation docker`. */
export function addImageCommand(program: Command): void {
  const image = program.command('image').description('the docker image for --isolation docker')
  image
    .command('build')
    .description('build the image and print its digest')
    .option(
      '--base <base>',
      'build on another image, by digest, or on "debootstrap": the distribution\'s own packages',
    )
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(build)
  image
    .command('list')
    .description('list the images built on this machine')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(list)
}

async function build({
  base = null,
  json,
}: {
  base?: string | null
  json?: boolean
}): Promise<void> {
  writeError('building the image, which may take some minutes')
  const digest = await buildImage({ base, cache: join(dataFolder(RUNNER_ENV), 'images') })
  if (json) printJsonResult({ digest, base })
  else printResult(digest)
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const images = await listImages()
  if (json) printJsonResult({ images })
  else if (images.length === 0) printResult('none: proofboard image build')
  else
    for (const { digest, createdAt, size, used } of images)
      printResult(
        `${digest}  ${size.padStart(8)}  ${createdAt}${used ? '  used by the next run' : ''}`,
      )
}

type Options = { install?: boolean; json?: boolean }

/** `proofboard browser`: manages the Chromium that workflows run in. */
export function addBrowserCommand(program: Command): void {
  program
    .command('browser')
    .description('path and version of the Chromium for browser workflows')
    .option(
      '--install',
      "install the distribution's package when there is none (as root, or with PROOFBOARD_INSTALL_BROWSER=1)",
    )
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute({ install, json }: Options): Promise<void> {
  if (install) await installed()
  const { path, version } = await findChromium(RUNNER_ENV)
  if (json) printJsonResult({ path, version })
  else printResult(`${version}\n${path}`)
}

async function installed(): Promise<void> {
  try {
    await ensureBrowser()
  } catch (error) {
    if (error instanceof SetupFailure) throw placeError(error.message)
    throw error
  }
}
