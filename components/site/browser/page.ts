// Script of every page without a server: theme, keyboard shortcuts, copying.
import '../../ui/behaviour/script.ts'
import { startBehaviour } from '../../ui/behaviour/start.ts'

document.addEventListener('DOMContentLoaded', () => startBehaviour())
