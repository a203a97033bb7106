export const Convert = () => <p className="empty">Convert</p>;
