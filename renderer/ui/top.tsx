/** The bar on top of every page. On a mac it leaves room for the window's own buttons. */
import clsx from 'clsx'
import { useWindow } from '../store/stores.ts'

export function Top({ children }: { children: React.ReactNode }) {
  const mac = useWindow((state) => state.info?.platform === 'darwin')
  return <header className={clsx('top', mac && 'top--mac')}>{children}</header>
}
