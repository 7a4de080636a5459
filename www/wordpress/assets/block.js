// The block in the editor: which widget, a card or a button, and the words on the button. What visitors see is made by the server.
(({ blocks, element, blockEditor, components, i18n }) => {
  const { createElement: h, Fragment } = element;
  const { __ } = i18n;
  const { widgets, settings } = window.shingleRoofEstimates || { widgets: [], settings: "" };
  const nameOf = ({ name, id }) => name || id.slice(0, 8);
  // As the server decides.
  const chosen = ({ widget, show }) =>
    widget
      ? widgets.find(({ id }) => id === widget)
      : (show !== "button" && widgets.find(({ kind }) => kind === "custom")) || widgets[0];
  const hasCard = (widget) => widget.kind === "custom" || widget.kind === "";
  const isCard = (widget, show) => hasCard(widget) && (show === "card" || (show !== "button" && widget.kind === "custom"));

  const Drawn = ({ widget, show, text }) => {
    const button = h("div", { className: "wp-block-button" },
      h("span", { className: "wp-block-button__link wp-element-button" }, text || __("Get my roof estimate", "shingle-roof-estimates")));
    if (!isCard(widget, show)) return button;
    return h("div", { className: "shingle-roof-estimate-drawn" },
      h("p", null, h("strong", null, __("Roof estimate", "shingle-roof-estimates"))),
      h("div", { className: "shingle-roof-estimate-field" }, __("Your home address", "shingle-roof-estimates")),
      button,
      h("p", { style: { margin: "12px 0 0", opacity: 0.7 } }, __("Visitors see the card with your colors and words.", "shingle-roof-estimates")));
  };

  const Edit = ({ attributes, setAttributes }) => {
    const props = blockEditor.useBlockProps();
    const widget = chosen(attributes);
    const choices = [{ value: "", label: __("The first that fits", "shingle-roof-estimates") }, ...widgets.map((one) => ({ value: one.id, label: nameOf(one) }))];
    if (attributes.widget && !widget) choices.push({ value: attributes.widget, label: __("No longer connected", "shingle-roof-estimates") });
    const controls = h(blockEditor.InspectorControls, null, h(components.PanelBody, { title: __("Roof estimate", "shingle-roof-estimates") },
      h(components.SelectControl, { label: __("Widget", "shingle-roof-estimates"), value: attributes.widget, options: choices,
        __nextHasNoMarginBottom: true, __next40pxDefaultSize: true, onChange: (value) => setAttributes({ widget: value }) }),
      h(components.SelectControl, { label: __("Show", "shingle-roof-estimates"), value: attributes.show, options: [
        { value: "", label: __("What fits the widget", "shingle-roof-estimates") },
        { value: "card", label: __("A card with the address field", "shingle-roof-estimates") },
        { value: "button", label: __("A button", "shingle-roof-estimates") }],
        help: widget && attributes.show === "card" && !hasCard(widget) ? __("This widget has no card: in the portal, its type has to be “Your own button or link”.", "shingle-roof-estimates") : "",
        __nextHasNoMarginBottom: true, __next40pxDefaultSize: true, onChange: (show) => setAttributes({ show }) }),
      h(components.TextControl, { label: __("Words on the button", "shingle-roof-estimates"), value: attributes.text, placeholder: __("Get my roof estimate", "shingle-roof-estimates"),
        __nextHasNoMarginBottom: true, __next40pxDefaultSize: true, onChange: (text) => setAttributes({ text }) })));
    const missing = () => h(components.Placeholder, { icon: "admin-home", label: __("Roof estimate", "shingle-roof-estimates"),
      instructions: attributes.widget
        ? __("The widget of this block is no longer connected. Choose another one at the side.", "shingle-roof-estimates")
        : settings
          ? __("Connect this site with your Shingle server first.", "shingle-roof-estimates")
          : __("An administrator has to connect this site with a Shingle server first.", "shingle-roof-estimates") },
      settings && !attributes.widget ? h(components.Button, { variant: "primary", href: settings }, __("Open the settings", "shingle-roof-estimates")) : null);
    return h(Fragment, null, controls, h("div", props, widget ? h(Drawn, { ...attributes, widget }) : missing()));
  };

  blocks.registerBlockType("shingle-roof-estimates/estimate", { edit: Edit, save: () => null });
})(window.wp);
