customElements.define('relative-time', class extends HTMLElement {})
