import type { ReactNode } from 'react'
import { formatSandbox } from '#components/board/row-facts.ts'
import { formatCount, formatSize, UNKNOWN, visibleText } from '#components/ui/format.ts'
import { type Fact, ShortDigest } from '#components/ui/layout.tsx'
import type { Environment } from '#lib/domain/record/index.ts'
import { present } from '#lib/domain/text/index.ts'

/** The machine and the programs of an episode. */
export function environmentFacts(env: Environment): Fact[] {
  const harness = [
    env.harness.version,
    env.harness.commit?.slice(0, 12),
    env.harness.dirty ? 'uncommitted changes' : null,
  ]
  return present<Fact>([
    { name: 'System', value: text(`${env.os} ${env.arch}`) },
    { name: 'Kernel', value: text(env.kernel) },
    { name: 'Node', value: text(env.node) },
    env.bun !== null && { name: 'Bun', value: text(env.bun) },
    env.browser && {
      name: 'Browser',
      value: text(`${env.browser.name} ${env.browser.version}`),
    },
    { name: 'Isolation', value: isolationText(env) },
    ...verifierFacts(env),
    { name: 'CPUs', value: formatCount(env.cpuCount) },
    { name: 'Memory', value: formatSize(env.memoryBytes) },
    { name: 'Harness', value: text(harness.filter(Boolean).join(', ')) },
    { name: 'Libraries', value: versionList(env.libraries) },
    env.toolchains && { name: 'Toolchains', value: versionList(env.toolchains) },
    env.certificates
      ? {
          name: 'Certificates',
          value: <ShortDigest digest={env.certificates} />,
        }
      : null,
    { name: 'Host', value: <ShortDigest digest={env.hostFingerprint} /> },
  ])
}

/** The isolation level and, at `local`, what the agent could read. */
function isolationText({ isolation, subjectUser }: Environment): string {
  if (subjectUser === 'own')
    return `${isolation} (no sandbox), as a separate user: the agent could read files open to every user of the machine`
  if (subjectUser === 'runner')
    return `${isolation} (no sandbox), as the runner's user: the agent could read reference solutions, keys, the database and other attempts`
  return isolation
}

/** Sandbox and digest of the verifier; a browser workflow has no solution. */
function verifierFacts({ verifier }: Environment): Fact[] {
  if (!verifier) return []
  return [
    { name: 'Graded', value: formatSandbox(verifier) },
    { name: 'Verifier digest', value: <ShortDigest digest={verifier.digest} /> },
  ]
}

function versionList(versions: Record<string, string>): ReactNode {
  return (
    <ul>
      {Object.entries(versions).map(([name, version]) => (
        <li key={name}>{text(`${name} ${version}`)}</li>
      ))}
    </ul>
  )
}

/** A text of an envelope; null = unknown. */
export function text(value: string | null): ReactNode {
  return value === null || value === '' ? UNKNOWN : visibleText(value)
}
