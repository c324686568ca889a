// The script of every page without a server: theme, keys, copying.
import '../../ui/behaviour/script.ts'
import { startBehaviour } from '../../ui/behaviour/start.ts'

document.addEventListener('DOMContentLoaded', () => startBehaviour())
