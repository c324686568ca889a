import { join } from 'node:path'
import type { Command } from 'commander'
import { buildImage } from '../isolation/docker/build-image.ts'
import { listImages } from '../isolation/docker/list-images.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { answer, answerJson, complain } from './output.ts'

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
  complain('building the image, which may take some minutes')
  const digest = await buildImage({ base, cache: join(dataFolder(OWN_ENV), 'images') })
  if (json) answerJson({ digest, base })
  else answer(digest)
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const images = await listImages()
  if (json) answerJson({ images })
  else if (images.length === 0) answer('none: proofboard image build')
  else
    for (const { digest, createdAt, size, used } of images)
      answer(`${digest}  ${size.padStart(8)}  ${createdAt}${used ? '  used by the next run' : ''}`)
}
