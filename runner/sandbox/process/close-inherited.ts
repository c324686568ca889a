import { closeSync, readdirSync, readFileSync } from 'node:fs'

const CLOSED_ON_EXEC = 0o2000000
const LAST_OF_STDIO = 2

/**
 * Closes file descriptors that were inherited from the parent process: a subject would inherit them too and could write
 * to them through every sandbox. Node's own are closed on exec. Does nothing outside Linux.
 */
export function closeInherited(): void {
  for (const descriptor of openDescriptors()) {
    if (descriptor <= LAST_OF_STDIO || descriptor === Number(process.env.NODE_CHANNEL_FD)) continue
    try {
      const flags = /^flags:\s*(\d+)/m.exec(
        readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'),
      )
      const inheritable = flags && (Number.parseInt(flags[1] ?? '', 8) & CLOSED_ON_EXEC) === 0
      if (inheritable) closeSync(descriptor)
    } catch {
      // Already closed, such as the one of the listing itself.
    }
  }
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    return []
  }
}
