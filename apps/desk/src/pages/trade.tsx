export const Trade = () => <p className="empty">Trade</p>;
