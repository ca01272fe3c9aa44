let count = 0

/** Turns stacked sections into tabs (WAI-ARIA APG: tabs, activated by focus). */
class CodeTabs extends HTMLElement {
  connectedCallback() {
    if (this.list) return
    const number = ++count
    this.panels = [...this.querySelectorAll(':scope > section')]
    this.list = document.createElement('div')
    this.list.setAttribute('role', 'tablist')
    this.list.setAttribute('aria-label', 'Language')
    this.tabs = this.panels.map((panel, place) => this.tabFor(panel, `tab-${number}-${place}`))
    this.list.append(...this.tabs)
    this.prepend(this.list)
    this.list.addEventListener('keydown', (event) => this.move(event))
    this.choose(0)
  }

  tabFor(panel, id) {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.id = id
    tab.textContent = panel.dataset.label
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', `${id}-panel`)
    tab.addEventListener('click', () => this.choose(this.tabs.indexOf(tab)))
    panel.id = `${id}-panel`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    panel.querySelector('h3')?.remove()
    return tab
  }

  choose(index) {
    this.tabs.forEach((tab, place) => {
      tab.setAttribute('aria-selected', String(place === index))
      tab.tabIndex = place === index ? 0 : -1
      this.panels[place].hidden = place !== index
    })
  }

  move(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const present = this.tabs.indexOf(document.activeElement)
    const index = (present + step + this.tabs.length) % this.tabs.length
    this.choose(index)
    this.tabs[index].focus()
  }
}

customElements.define('code-tabs', CodeTabs)
