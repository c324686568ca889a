import type { Settings } from '../../plan.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { type Section, terms, text } from '../methodology-section.ts'

const RULES: readonly string[] = ['answers-out-of-reach']

/** What stands around an agent while it works, at each level. */
export function isolationSection({ constants }: MethodologyInput): Section {
  const { isolationLevels, policy, rules } = constants
  return {
    id: 'isolation',
    title: 'Agent isolation',
    blocks: [
      text(
        'An agent or a command runs at the strongest level of the machine unless another one is asked for. The level is ' +
          'printed with its reason, frozen in the plan and recorded in the episode. A level that is asked for and missing is ' +
          'refused; no other takes its place.',
      ),
      terms(
        'isolation',
        isolationLevels.map((key) => ({
          key,
          term: key === 'local' ? 'local (no sandbox)' : key,
          text: LEVELS[key],
        })),
      ),
      text(
        'Controls are functions of the harness and run at local. Browser libraries run at local too, in a sandbox of their ' +
          'own where bubblewrap works; the episode says which.',
      ),
      terms(
        'isolation-rule',
        rules
          .filter(({ code }) => RULES.includes(code))
          .map(({ code, demand }) => ({ key: code, text: demand(policy) })),
      ),
    ],
  }
}

const LEVELS: Record<Settings['isolation'], string> = {
  local:
    'A fresh HOME, an allow-listed environment, limits, and an end of the whole process tree; the network of the machine. Started by root, ' +
    'the agent is a user of its own that finds no key, database, reference or other attempt, but reads whatever is open to ' +
    'every user. Started by a plain user it is that user: it can read and change references, tests, the database, the secret ' +
    'that signs sessions, other attempts and the harness, and may read keys from the memory of the runner. Its rows are not ranked.',
  bubblewrap:
    'Namespaces of the kernel: only its workspace, HOME and /tmp; the system read-only; no network but the gateway; ended as one.',
  docker:
    'The same in a container, named by the digest of its image, with one memory limit for all its processes.',
}
