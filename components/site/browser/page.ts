// Script of every page without a server: theme, keyboard shortcuts, copying.
import { restoreScroll } from '../../ui/behaviour/keep-scroll.ts'
import { startBehaviour } from '../../ui/behaviour/start.ts'
import { startTheme } from '../../ui/behaviour/theme.ts'

// Called here: a module without exports that are used is left out of the bundle (`sideEffects` in package.json).
startTheme()
restoreScroll()
document.addEventListener('DOMContentLoaded', () => startBehaviour())
