var regretlab = {}; // where the scripts of an export keep what modules would import from each other
// Runs before the first paint (a classic script in the head), so that a chosen theme never flashes.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden: the system's theme it is.
}
