import type { Settings } from '#lib/domain/plan.ts'
import { bubblewrap } from './bubblewrap/bubblewrap.ts'
import { createDocker } from './docker/docker.ts'
import type { Isolation } from './isolation.ts'
import { local } from './local.ts'

/** The isolation of this name, unasked whether this machine can. */
export function chooseIsolation(level: Settings['isolation']): Isolation {
  switch (level) {
    case 'local':
      return local
    case 'bubblewrap':
      return bubblewrap
    case 'docker':
      return createDocker()
  }
}
