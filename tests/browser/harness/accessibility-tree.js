// What a screen reader is given: the browser's own accessibility tree, asked for over the debugging protocol.

export class AccessibilityTree {
  static async of(page) {
    const tree = new AccessibilityTree();
    tree.wire = await page.context().newCDPSession(page);
    await tree.wire.send("Accessibility.enable");
    return tree;
  }

  /** All that is not ignored, in reading order. */
  async nodes() {
    const { nodes } = await this.wire.send("Accessibility.getFullAXTree");
    const by = new Map(nodes.map((node) => [node.nodeId, node]));
    const read = (node) => ({
      role: node.role?.value,
      name: node.name?.value ?? "",
      description: node.description?.value ?? "",
      ...Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value ?? value.relatedNodes])),
      inside: (node.childIds ?? []).map((id) => by.get(id)).filter(Boolean),
      ignored: node.ignored,
    });
    return nodes.filter((node) => !node.ignored).map(read);
  }

  /** The nodes of a role. */
  async all(role) {
    return (await this.nodes()).filter((node) => node.role == role);
  }

  /** Where the keyboard is. The page itself counts as focused too; the last is the innermost. */
  async focused() {
    return (await this.nodes()).filter((node) => node.focused).at(-1);
  }
}
