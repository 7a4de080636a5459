export const php = () => ({});
