/** Entry of the page: the app on its bridge, or (in development and in the gallery's own build) the gallery of screens. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { setKeyboard } from './commands/keys.ts'
import { ControlsProvider } from './commands/use-commands.ts'
import { makeStores, StoresProvider } from './store/stores.ts'
import './styles/index.css'

const element = document.getElementById('root')
if (element === null) throw new Error('The page has no root element')
const root = createRoot(element)

if ((import.meta.env.DEV || import.meta.env.MODE === 'gallery') && new URLSearchParams(location.search).has('gallery')) {
  const { Gallery } = await import('./gallery/gallery.tsx')
  root.render(<Gallery />)
} else {
  const stores = makeStores(window.reprise)
  setKeyboard(/Mac/.test(navigator.platform))
  root.render(
    <StrictMode>
      <StoresProvider value={stores}>
        <ControlsProvider value={{ list: null, lanes: null }}>
          <App />
        </ControlsProvider>
      </StoresProvider>
    </StrictMode>,
  )
}
