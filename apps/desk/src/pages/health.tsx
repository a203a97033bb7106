export const Health = () => <p className="empty">Health</p>;
